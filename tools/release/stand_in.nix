# SPDX-License-Identifier: MIT
# Evaluates the recipe for Nix with stand-ins for the packages and functions of nixpkgs that it takes.
{ recipe }:
let
  lib = {
    optional = condition: value: if condition then [ value ] else [ ];
    licenses.mit = "MIT";
    platforms = { linux = [ "x86_64-linux" ]; darwin = [ "aarch64-darwin" ]; };
  };
  stdenv.mkDerivation = function: let self = function self; in self;
in
import recipe {
  inherit lib stdenv;
  fetchurl = arguments: arguments;
  cmake = "cmake";
  ninja = "ninja";
  pkg-config = "pkg-config";
  jansson = "jansson";
  xxHash = "xxHash";
  sleef = "sleef";
}
