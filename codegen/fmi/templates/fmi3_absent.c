/* No variable is of another type. */
#define FOREIGN(name, type)                                                                        \
    fmi3Status name(                                                                               \
        fmi3Instance instance, const fmi3ValueReference valueReferences[],                         \
        size_t nValueReferences, type values[], size_t nValues_)                                   \
    {                                                                                              \
        (void)valueReferences;                                                                     \
        (void)values;                                                                              \
        (void)nValues_;                                                                            \
        return nValueReferences == 0 ? nothing(instance)                                           \
                                     : refused(instance, "all variables are of type Float64");     \
    }
FOREIGN(fmi3GetFloat32, fmi3Float32)
FOREIGN(fmi3GetInt8, fmi3Int8)
FOREIGN(fmi3GetUInt8, fmi3UInt8)
FOREIGN(fmi3GetInt16, fmi3Int16)
FOREIGN(fmi3GetUInt16, fmi3UInt16)
FOREIGN(fmi3GetInt32, fmi3Int32)
FOREIGN(fmi3GetUInt32, fmi3UInt32)
FOREIGN(fmi3GetInt64, fmi3Int64)
FOREIGN(fmi3GetUInt64, fmi3UInt64)
FOREIGN(fmi3GetBoolean, fmi3Boolean)
FOREIGN(fmi3GetString, fmi3String)
FOREIGN(fmi3SetFloat32, const fmi3Float32)
FOREIGN(fmi3SetInt8, const fmi3Int8)
FOREIGN(fmi3SetUInt8, const fmi3UInt8)
FOREIGN(fmi3SetInt16, const fmi3Int16)
FOREIGN(fmi3SetUInt16, const fmi3UInt16)
FOREIGN(fmi3SetInt32, const fmi3Int32)
FOREIGN(fmi3SetUInt32, const fmi3UInt32)
FOREIGN(fmi3SetInt64, const fmi3Int64)
FOREIGN(fmi3SetUInt64, const fmi3UInt64)
FOREIGN(fmi3SetBoolean, const fmi3Boolean)
FOREIGN(fmi3SetString, const fmi3String)

fmi3Status fmi3GetBinary(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    size_t valueSizes[], fmi3Binary values[], size_t nValues_)
{
    (void)valueReferences;
    (void)valueSizes;
    (void)values;
    (void)nValues_;
    return nValueReferences == 0 ? nothing(instance)
                                 : refused(instance, "all variables are of type Float64");
}

fmi3Status fmi3SetBinary(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    const size_t valueSizes[], const fmi3Binary values[], size_t nValues_)
{
    (void)valueReferences;
    (void)valueSizes;
    (void)values;
    (void)nValues_;
    return nValueReferences == 0 ? nothing(instance)
                                 : refused(instance, "all variables are of type Float64");
}

fmi3Status fmi3GetClock(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    fmi3Clock values[])
{
    (void)valueReferences;
    (void)values;
    return nValueReferences == 0 ? nothing(instance) : refused(instance, "there are no clocks");
}

fmi3Status fmi3SetClock(
    fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
    const fmi3Clock values[])
{
    (void)valueReferences;
    (void)values;
    return nValueReferences == 0 ? nothing(instance) : refused(instance, "there are no clocks");
}

fmi3Status fmi3GetNumberOfVariableDependencies(
    fmi3Instance instance, fmi3ValueReference valueReference, size_t *nDependencies)
{
    (void)valueReference;
    *nDependencies = 0;
    return refused(instance, "dependencies stand in the model description");
}

fmi3Status fmi3GetVariableDependencies(
    fmi3Instance instance, fmi3ValueReference dependent, size_t elementIndicesOfDependent[],
    fmi3ValueReference independents[], size_t elementIndicesOfIndependents[],
    fmi3DependencyKind dependencyKinds[], size_t nDependencies)
{
    (void)dependent;
    (void)elementIndicesOfDependent;
    (void)independents;
    (void)elementIndicesOfIndependents;
    (void)dependencyKinds;
    (void)nDependencies;
    return refused(instance, "dependencies stand in the model description");
}

