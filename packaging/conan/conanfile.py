# SPDX-License-Identifier: MIT
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir

required_conan_version = ">=2.0"


class LibptoConan(ConanFile):
    name = "libpto"
    version = "@VERSION@"
    description = "GPU-exact compare, select, convert and block quantization instructions on CPUs"
    license = "MIT"
    homepage = "@HOMEPAGE@"
    topics = ("floating-point", "quantization", "ptx", "gpu", "mxfp8", "nvfp4")
    package_type = "library"
    languages = "C"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "vmath": [True, False],  # pto_vexp, with SLEEF
    }
    default_options = {"shared": False, "fPIC": True, "vmath": False}
    implements = ["auto_shared_fpic"]

    def validate(self):
        if self.settings.compiler == "msvc":
            raise ConanInvalidConfiguration("MSVC cannot compile libpto, but can use DLLs of mingw-w64's gcc")

    def requirements(self):
        if self.options.vmath:
            self.requires("sleef/[>=3.6 <4]")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "COMMAND"):
            toolchain.cache_variables[f"PTO_{part}"] = False
        toolchain.cache_variables["PTO_SLEEF"] = bool(self.options.vmath)
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")
        CMake(self).install()
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, str(Path(self.package_folder) / folder))
        # libpto installs both kinds of library; a Conan package has one. *.dll.a are import libraries.
        unwanted = ("*.a",) if self.options.shared else ("*.so*", "*.dylib", "*.dll", "*.dll.a")
        for pattern in unwanted:
            for path in Path(self.package_folder).rglob(pattern):
                if not (self.options.shared and path.name.endswith(".dll.a")):
                    path.unlink()

    def package_info(self):
        kind = "shared" if self.options.shared else "static"
        self.cpp_info.set_property("cmake_file_name", "pto")
        core = self.cpp_info.components["pto"]
        core.set_property("cmake_target_name", "pto::pto")
        core.set_property("cmake_target_aliases", ["pto::vmath", f"pto::{kind}"])
        core.set_property("pkg_config_name", "pto")
        core.libs = ["pto"]
        if kind == "static" and self.settings.os == "Windows":
            core.defines = ["PTO_STATIC"]
        if self.settings.os in ("Linux", "FreeBSD"):
            core.system_libs = ["m"]
        if self.options.vmath:
            core.requires = ["sleef::sleef"]
        program = self.cpp_info.components["program"]
        program.set_property("cmake_target_name", "pto::program")
        program.set_property("cmake_target_aliases", [f"pto::program_{kind}"])
        program.set_property("pkg_config_name", "pto-program")
        program.libs = ["pto-program"]
        program.requires = ["pto"]
