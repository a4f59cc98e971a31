#ifndef BOARD_H
#define BOARD_H

/* A text, and a number, on the console of the host. */
void say(const char *text);
void say_number(unsigned long long number, unsigned base);

/* End the run with this code. */
void finish(int code);

unsigned stack_of(void (*call)(void));

#endif
