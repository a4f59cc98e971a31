def ${solver}(${signature}):
    """${description}

${documented}
    """
    ${found} = _solve("${solver}", _solve_${solver}, [${arrays}], [${inputs}], [${outputs}],
        ${order}, ${solving}, ${p})${first}
    return ${returned}
