#!/usr/bin/env bash
# SPDX-License-Identifier: MIT mpirun -n 64 tools/scale/mpi.sh FOLDER [FORM]...: each rank computes one part. Ranks do
# not communicate, so the script only reads its rank and the number of ranks from the environment, where Open MPI,
# MPICH, Intel MPI and Slurm's srun set them.
set -euo pipefail
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-${SLURM_PROCID:?this is no process of mpirun or srun}}}
size=${OMPI_COMM_WORLD_SIZE:-${PMI_SIZE:-${SLURM_NTASKS:?}}}
exec "$(dirname "${BASH_SOURCE[0]}")/part.sh" "$rank" "$size" "$@"
