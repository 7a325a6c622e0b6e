# SPDX-License-Identifier: MIT
# frozen_string_literal: true

# GPU-exact compare, select, convert and block quantization instructions on CPUs.
class Libpto < Formula
  desc "GPU-exact compare, select, convert and block quantization instructions on CPUs"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "jansson"
  depends_on "sleef"
  depends_on "xxhash"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
           "-DPTO_TESTS=OFF", "-DPTO_EXAMPLES=OFF", "-DPTO_SLEEF=ON", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_equal "pto #{version}", shell_output("#{bin}/pto --version").strip
    assert_match "0x1dfe", shell_output("#{bin}/pto eval cvt.rn.satfinite.e4m3x2.f32 0.1 -1000")
  end
end
