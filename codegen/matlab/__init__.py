"""MATLAB's interfaces in C: MEX functions and S-functions around the emitted C."""
