/* Compilers call these to copy and to clear arrays. */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    }
    return to;
}

void *memset(void *to, int value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        ((unsigned char *)to)[i] = (unsigned char)value;
    }
    return to;
}
