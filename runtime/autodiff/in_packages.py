"""The functions of a compiled model inside CasADi, JAX and PyTorch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eomc.runtime.autodiff.external import Linker
    from eomc.runtime.cuda.kernels import CudaKernels


class InPackages(ABC):
    """Functions of a model for packages that differentiate: CasADi, JAX, PyTorch."""

    name: str
    _linker: Linker | None

    @property
    @abstractmethod
    def functions(self) -> tuple[str, ...]:
        """Names of the functions that are compiled."""

    @abstractmethod
    def _require(self, name: str) -> None:
        """Raise AttributeError, with near names, if the model has no function `name`."""

    def casadi(self, name: str, second: bool = True) -> Any:
        """The function `name` as a CasADi ``Function`` on compiled code, for MX expressions.

        Its Jacobian, its gradient under weights and, with `second`, its Hessian are compiled and
        exact, so that IPOPT and others take them. Tunable parameters are a further input ``p``;
        coordinates are normalized first. For SX see ``equations.function(name).to_casadi()``.
        Raises ImportError without CasADi, AttributeError for a model that was loaded, not built.
        """
        from eomc.runtime.autodiff.casadi_function import casadi_function

        return casadi_function(self._links(name), name, second)

    def jax(self, name: str) -> Callable[..., Any]:
        """The function `name` for JAX on the CPU: it takes ``jit``, ``vmap``, ``grad``, ``jvp``.

        Leading dimensions are a batch. XLA calls the compiled code itself; derivatives of first
        and second order are compiled and exact. Tunable parameters are a last argument that may be
        left out; coordinates are normalized first. Raises ImportError without JAX, RuntimeError if
        it computes in single precision, AttributeError for a model that was loaded, not built.
        """
        from eomc.runtime.autodiff.jax_function import jax_function

        return jax_function(self._links(name), name)

    def torch(self, name: str) -> Callable[..., Any]:
        """The function `name` for PyTorch, on tensors of doubles on the CPU.

        Leading dimensions are a batch; backward and double backward, ``torch.func.jvp`` and
        ``vmap`` work on compiled exact derivatives. Tunable parameters are a last argument that may
        be left out; coordinates are normalized first. Raises ImportError without PyTorch,
        AttributeError for a model that was loaded, not built.
        """
        from eomc.runtime.autodiff.torch_function import torch_function

        return torch_function(self._links(name), name)

    def cuda(
        self,
        *functions: str,
        real: str = "double",
        device: int = 0,
        fused: bool = True,
        architecture: str | None = None,
    ) -> CudaKernels:
        """Kernels of the named functions on a CUDA device, by default of those that are compiled.

        Runs such as ``rk4_rollouts`` are there if the functions that they call are. The kernels
        evaluate many states, one a thread; see `CudaKernels` for arrays and streams. They are
        compiled for the architecture of the device by NVRTC and ptxas, and kept in the cache.

        Parameters
        ----------
        functions : str
        real : "double" or "float"
        device : int
        fused : bool
            Fuse multiplications with additions. Otherwise results have the bits of the processor,
            but for functions of the math library such as exp.
        architecture : str, optional
            Compile for this one, such as ``"sm_90"``; the device must be of it.

        Raises
        ------
        CudaError
            No device, or one of another architecture.
        BuildError
            No compiler: ``pip install 'eomc[cuda]'``.
        AttributeError
            Unknown functions; a model that was loaded, not built.

        Examples
        --------
        ``gpu = panda.cuda("forward_dynamics", real="float")``, and for tensors of PyTorch on the
        device, of 7 rows each, ``a = gpu.forward_dynamics(q, u, tau)``.
        """
        from eomc.runtime.cuda.driver import CudaDriver
        from eomc.runtime.cuda.kernels import CudaKernels

        names = functions or self.functions
        for name in names:
            self._require(name)
        driver = CudaDriver(device)
        return CudaKernels(*self.linker.cuda(names, real, fused), driver, architecture or "")

    def _links(self, name: str) -> Linker:
        """The linker that compiles the function `name` with its derivatives."""
        self._require(name)
        return self.linker

    @property
    def linker(self) -> Linker:
        """Compiles more of the model; raises AttributeError for a model that was loaded."""
        if self._linker is None:
            raise AttributeError(
                f"model {self.name!r} was loaded, not built, and its equations are not at hand; "
                "build it with eomc.build"
            )
        return self._linker
