# SPDX-License-Identifier: MIT
from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator


class Libpto(CMakePackage):
    """Compare, select, convert and block quantization instructions of GPUs and NPUs on CPUs, with the same bits."""

    homepage = "@HOMEPAGE@"
    url = "@URL@"

    license("MIT")

    version("@VERSION@", sha256="@SHA256@")

    variant("shared", default=True, description="Make pto::pto the shared library")
    variant("vmath", default=True, description="Build pto_vexp, which needs SLEEF")
    variant("command", default=True, description="Build the command pto")

    depends_on("c", type="build")
    depends_on("cmake@3.21:", type="build")
    generator("ninja")
    depends_on("sleef", when="+vmath")
    depends_on("jansson", when="+command")
    depends_on("xxhash@0.8:", when="+command")

    def cmake_args(self):
        return [
            self.define("PTO_TESTS", False),
            self.define("PTO_EXAMPLES", False),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("PTO_SLEEF", "vmath"),
            self.define_from_variant("PTO_COMMAND", "command"),
        ]
