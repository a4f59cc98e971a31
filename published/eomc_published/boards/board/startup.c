/* What a Cortex-M needs before main, and how a program says something to QEMU and ends it. */
#include "board.h"

#include <stdint.h>

extern uint32_t _stack_top, _data_start, _data_end, _data_load, _bss_start, _bss_end;

int main(void);

static int semihosting(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void say(const char *text)
{
    semihosting(0x04, text);
}

void finish(int code)
{
    const uint32_t block[2] = {0x20026u, (uint32_t)code};
    semihosting(0x20, block);
    for (;;) {
    }
}

void say_number(unsigned long long number, unsigned base)
{
    char text[24];
    int place = 23;
    text[place] = '\0';
    do {
        text[--place] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    say(&text[place]);
}

static void reset(void)
{
    uint32_t *from = &_data_load;
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20;  /* the floating-point unit */
    __asm__ volatile("dsb\n\tisb");
    for (uint32_t *to = &_data_start; to < &_data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *to = &_bss_start; to < &_bss_end; to++) {
        *to = 0;
    }
    finish(main());
}

static void fault(void)
{
    say("fault\n");
    finish(99);
}

__attribute__((section(".vectors"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))&_stack_top, reset, fault, fault, fault, fault, fault,
};

#define PAINT 0xDEADBEEFu

/* Bytes of stack that a call takes, found by painting what is free before it. */
unsigned stack_of(void (*call)(void))
{
    uint32_t here = 0;
    uint32_t *const bottom = &_bss_end;
    uint32_t *const top = &here - 16;
    unsigned used;
    for (uint32_t *place = bottom; place < top; place++) {
        *(volatile uint32_t *)place = PAINT;
    }
    call();
    uint32_t *place = bottom;
    while (place < top && *(volatile uint32_t *)place == PAINT) {
        place++;
    }
    used = (unsigned)((char *)&here - (char *)place);
    return used;
}
