# SPDX-License-Identifier: MIT
"""The peers. Each is a module whose function cells(threads, sizes) yields the cells in which it is measured."""
