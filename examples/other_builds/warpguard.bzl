# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Compiles CUDA sources through `warpguard compile`, and compares their kernels with a lock.

nvcc and warpguard are programs of the machine, found on the PATH.
"""

def cuda_objects(name, srcs, nvcc_options):
    """Compiles each source to an object. What ptxas used comes out beside it, as <object>.ptxas."""
    objects = []
    for src in srcs:
        object = src[:-len(".cu")] + ".o"
        native.genrule(
            name = name + "_" + object,
            srcs = [src],
            outs = [object, object + ".ptxas"],
            cmd = "warpguard compile nvcc %s -c $< -o $(RULEDIR)/%s" % (" ".join(nvcc_options), object),
        )
        objects.append(object)
    native.filegroup(name = name, srcs = objects)
    native.filegroup(name = name + "_measured", srcs = [object + ".ptxas" for object in objects])

def kernels_lock(name, objects, lock):
    """Targets for the lock of the kernels in `objects`, a cuda_objects().

    <name> fails if a kernel is worse than the lock allows. <name>_update and <name>_record-anew write a new lock into
    bazel-bin. You copy it over the old one, which a build must not change.
    """
    package = native.package_name()
    folder = package + "/" if package else ""
    record = "bazel build //%s:%s_{} && cp -f bazel-bin/%s.{} %s" % (package, name, folder + lock, folder + lock)
    arguments = "--from $(locations %s) --record-with '%s'" % (objects, record)
    old = "$(location %s)" % lock
    inputs = [lock, objects, objects + "_measured"]
    native.genrule(
        name = name,
        srcs = inputs,
        outs = [name + ".checked"],
        cmd = "warpguard lock check %s %s && touch $@" % (old, arguments),
    )
    for verb in ["update", "record-anew"]:
        # The new lock is written beside the old one first, because sources are named relative to the lock.
        new = old + ".new"
        write = "warpguard lock %s %s %s" % (verb, new, arguments)
        native.genrule(
            name = name + "_" + verb,
            srcs = inputs,
            outs = [lock + "." + verb],
            cmd = "cp %s %s && chmod u+w %s && %s && mv %s $@" % (old, new, new, write, new),
        )
