"""Planar space platform with a manipulator of slewing and deployable flexible units.

The system of Caron, *Planar Dynamics and Control of Space-Based Flexible Manipulators with Slewing
and Deployable Links* (University of British Columbia, 1996).
"""
