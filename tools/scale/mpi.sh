#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mpirun -n 64 tools/scale/mpi.sh FOLDER [FORM]...: a part for each rank. They do not talk, so it is enough to know which
# one this is: Open MPI, MPICH and Intel MPI, or Slurm's srun have told the environment.
set -euo pipefail
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:?this is no process of mpirun or srun}}}
size=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:?}}}
exec "$(dirname "${BASH_SOURCE[0]}")/part.sh" "$rank" "$size" "$@"
