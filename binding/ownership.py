"""Ownership of files that may be executed: only this user and root could have written them."""

import os
import stat
import sys
from pathlib import Path


def written_by_others(path: Path, status: os.stat_result) -> tuple[str, str]:
    """Reason for which others could have written `path`, and the remedy; empty if they could not.

    It has to belong to this user or to root. Others may write into a folder only if it is sticky,
    as /tmp is, where nobody can replace what is another's; a group may, if this user is all of it.
    Where there are no owners (Windows) everything passes.
    """
    if sys.platform == "win32":
        return "", ""
    mode = status.st_mode
    shut = stat.S_ISDIR(mode) and bool(mode & stat.S_ISVTX)
    if status.st_uid not in (0, os.geteuid()):
        return f"it belongs to user {status.st_uid}", "remove it"
    if mode & stat.S_IWOTH and not shut:
        return f"its mode is {stat.S_IMODE(mode):04o}", f"chmod go-w {path}"
    if mode & stat.S_IWGRP and not shut and not _is_own_group(status.st_gid):
        return f"group {status.st_gid} may write it", f"chmod g-w {path}"
    return "", ""


def _is_own_group(number: int) -> bool:
    """True if it is the group that many systems make for one user alone, of the same name."""
    if sys.platform == "win32":
        return False
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(number)
    except KeyError:
        return False
    return group.gr_name == user and set(group.gr_mem) <= {user}
