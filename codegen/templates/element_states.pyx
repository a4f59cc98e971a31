
def _behind(u, z):
    """The states of elements behind the speeds, in rows of ${nu} + ${nz} numbers."""
    u = _np.asarray(_unmasked("argument 'u'", u), _dtype)
    z = _np.asarray(_unmasked("argument 'z'", z), _dtype)
    for name, array, size in (("u", u, ${nu}), ("z", z, ${nz})):
        if not array.ndim or array.shape[array.ndim - 1] != size:
            raise ValueError(f"argument '{name}' has shape {array.shape}; expected (..., {size})")
    try:
        batch = _np.broadcast_shapes(u.shape[:-1], z.shape[:-1])
    except ValueError:
        raise ValueError(
            f"arguments 'u' and 'z' of shapes {u.shape} and {z.shape} must be rows of states, as "
            "many of one as of the other"
        ) from None
    arrays = [_np.broadcast_to(array, (*batch, array.shape[array.ndim - 1])) for array in (u, z)]
    return _np.concatenate(arrays, axis=-1)


def _parted(found):
    """(q, u, z, ...) of (q, [u, z], ...)."""
    both = found[1]
    parts = [_np.ascontiguousarray(part) for part in (both[..., :${nu}], both[..., ${nu}:])]
    return (found[0], *parts, *found[2:])

