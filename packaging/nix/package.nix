# SPDX-License-Identifier: MIT
# For callPackage. SLEEF is used if the package set has it.
{ lib
, stdenv
, fetchurl
, cmake
, ninja
, pkg-config
, jansson
, xxHash
, sleef ? null
}:

stdenv.mkDerivation (finalAttrs: {
  pname = "libpto";
  version = "@VERSION@";

  src = fetchurl {
    url = "@URL@";
    hash = "sha256-@SHA256_BASE64@";
  };

  nativeBuildInputs = [ cmake ninja pkg-config ];
  buildInputs = [ jansson xxHash ] ++ lib.optional (sleef != null) sleef;

  cmakeFlags = [
    "-DPTO_TESTS=OFF"
    "-DPTO_SLEEF=${if sleef != null then "ON" else "OFF"}"
  ];

  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/pto --version | grep -qxF "pto ${finalAttrs.version}"
  '';

  meta = {
    description = "GPU-exact compare, select, convert and block quantization instructions on CPUs";
    homepage = "@HOMEPAGE@";
    license = lib.licenses.mit;
    platforms = lib.platforms.linux ++ lib.platforms.darwin;
    mainProgram = "pto";
  };
})
