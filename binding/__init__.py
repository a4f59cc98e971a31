"""The binding: one extension module that makes Python functions of any compiled model.

It reads the table that a model's shared library exports (`eomc_model.h`). Setuptools compiles it
when eomc is installed; `loaded.binding` finds it, or has it compiled into the cache.
"""
