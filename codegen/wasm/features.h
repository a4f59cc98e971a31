/* Tables of musl say that they are hidden, as everything is here. */
#ifndef hidden
#define hidden
#endif
