#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#SBATCH --job-name=pto-digest --ntasks=1 --cpus-per-task=1 --time=02:00:00
# sbatch --array=0-99 tools/scale/slurm.sh FOLDER [FORM]...: each task of the array computes one part. The array must
# start at 0.
exec "${PTO_SCALE:-$PWD/tools/scale}/part.sh" "$SLURM_ARRAY_TASK_ID" "$SLURM_ARRAY_TASK_COUNT" "$@"
