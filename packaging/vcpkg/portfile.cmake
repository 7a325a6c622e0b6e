# libpto installs both kinds of library; its CMake package selects one by BUILD_SHARED_LIBS of the user.
set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled)

vcpkg_download_distfile(archive
    URLS "@URL@"
    FILENAME "libpto-@VERSION@.tar.gz"
    SHA512 @SHA512@)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")

vcpkg_check_features(OUT_FEATURE_OPTIONS features
    FEATURES
        tools PTO_COMMAND
        vmath PTO_SLEEF)
vcpkg_cmake_configure(
    SOURCE_PATH "${source}"
    OPTIONS -DPTO_TESTS=OFF -DPTO_EXAMPLES=OFF ${features})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME pto CONFIG_PATH lib/cmake/pto)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES pto AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
