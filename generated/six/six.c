/*
 * Equations of motion of six, made by eomc.
 */
#include "six.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(__OPTIMIZE_SIZE__)
#define SIX_INLINE inline __attribute__((always_inline))
#else
#define SIX_INLINE inline
#endif

#if defined(__GNUC__) || defined(__clang__)
#define SIX_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define SIX_NOINLINE __declspec(noinline)
#else
#define SIX_NOINLINE
#endif

/* Cores that lower their clock for all that follows a product of 512 bits. */
#if defined(__skylake_avx512__) || defined(__cascadelake__) || defined(__cooperlake__) \
    || defined(__cannonlake__) || defined(__icelake_client__) || defined(__icelake_server__) \
    || defined(__tigerlake__) || defined(__rocketlake__)
#define SIX_CLOCK_FALLS
#endif

/*
 * Bytes of the vectors on which sines and cosines of several angles are computed at once; 0 where
 * compilers know none, or where scalars have more digits than vectors, as on x87.
 */
#if !defined(__GNUC__) || (__GNUC__ < 9 && !defined(__clang__)) || defined(_WIN32) \
    || defined(SIX_NO_VECTORS) || __FLT_EVAL_METHOD__ > 0
#define SIX_TURN_BYTES 0
#elif defined(__AVX512F__) && !defined(SIX_CLOCK_FALLS)
#define SIX_TURN_BYTES 64
#elif defined(__AVX2__)
#define SIX_TURN_BYTES 32
#elif defined(__SSE2__) || defined(__aarch64__) || defined(__wasm_simd128__)
#define SIX_TURN_BYTES 16
#else
#define SIX_TURN_BYTES 0
#endif

#if SIX_TURN_BYTES
#define SIX_ALIGNED __attribute__((aligned(SIX_TURN_BYTES)))
typedef six_real six_turn_vector __attribute__((vector_size(SIX_TURN_BYTES), may_alias));
typedef long long six_turn_mask __attribute__((vector_size(SIX_TURN_BYTES)));
#else
#define SIX_ALIGNED
#endif

/*
 * Ends an expression: whatever compilers are allowed to do, such as to regroup sums or to keep more
 * digits than six_real has, they do not across it.
 */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__SSE2_MATH__)
#define SIX_PIN(x) __asm__("" : "+x"(x))
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
#define SIX_PIN(x) __asm__("" : "+w"(x))
#elif defined(__GNUC__) || defined(__clang__)
#define SIX_PIN(x) __asm__("" : "+m"(x))
#elif defined(_MSC_VER) && !defined(_M_FP_FAST)
#define SIX_PIN(x) ((void)0)
#else
#define SIX_PIN(x) \
    do { \
        volatile six_real pinned = (x); \
        (x) = pinned; \
    } while (0)
#endif

/* Sine and cosine of large angles, infinities and NaN. */
typedef struct {
    six_real sine;
    six_real cosine;
} six_turn;

static SIX_NOINLINE six_turn six_far_turn(six_real x)
{
    const six_turn turn = {sin(x), cos(x)};
    return turn;
}

/* Sine and cosine of x within 0.83 units in the last place; no branch depends on x unless it is large. */
static SIX_INLINE void six_sincos(
    six_real x,
    six_real *sine,
    six_real *cosine)
{
    if (!(fabs(x) <= 51471.0)) {
        const six_turn turn = six_far_turn(x);
        *sine = turn.sine;
        *cosine = turn.cosine;
    } else {
        /*
         * x = n pi/2 + (r + e): adding and subtracting the large number rounds to an integer. The
         * parts of pi/2 have the digits of their type, also where literals have more.
         */
        six_real shifted = x*0.6366197723675814 + 6755399441055744.0;
        six_real n;
        six_real r1;
        six_real second;
        six_real third;
        six_real r2;
        six_real r;
        six_real e;
        six_real e1;
        SIX_PIN(shifted);
        n = shifted - 6755399441055744.0;
        r1 = x - n*(six_real)1.5707963267923333;
        SIX_PIN(r1);
        second = n*(six_real)2.5633441515839558e-12;
        SIX_PIN(second);
        third = n*(six_real)1.0562999066987428e-23;
        SIX_PIN(third);
        r2 = r1 - second;
        SIX_PIN(r2);
        r = r2 - third;
        SIX_PIN(r);
        e = (r2 - r) - third;
        SIX_PIN(e);
        e1 = (r1 - r2) - second;
        SIX_PIN(e1);
        e += e1;
        const six_real z = r*r;
        const six_real half = 0.5*z;
        const six_real w = 1.0 - half;
        const six_real p = -0.16666666666666632 + z*(0.008333333333322713 + z*(-0.00019841269830183278 + z*(2.7557313844073607e-06 + z*(-2.505078288512393e-08 + z*1.5898206353815472e-10))));
        const six_real k = 0.0416666666666666 + z*(-0.0013888888888873466 + z*(2.4801587287985298e-05 + z*(-2.7557313605210255e-07 + z*(2.087559005375572e-09 + z*-1.1351949061089001e-11))));
        const six_real s = r + (r*z*p + e*w);
        const six_real c = w + (((1.0 - w) - half) + (z*z*k - r*e));
        /* A quarter turn takes sine to cosine and cosine to minus sine. */
        const six_real quarters[4] = {s, c, -s, -c};
        const unsigned quarter = (unsigned)(int)n;
        *sine = quarters[quarter & 3u];
        *cosine = quarters[(quarter + 1u) & 3u];
    }
}

#if SIX_TURN_BYTES
/* Sine and cosine of the angles that are large, infinite or NaN, by the math library. */
static SIX_NOINLINE void six_far_turns(six_real *turns, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs(turns[i]) <= 51471.0)) {
            const six_turn turn = six_far_turn(turns[i]);
            turns[count + i] = turn.sine;
            turns[2*count + i] = turn.cosine;
        }
    }
}
#endif

/*
 * After so many angles their sines, then their cosines: the same steps for several angles at once,
 * quarter turns by bits. The count fills whole vectors.
 */
static SIX_NOINLINE void six_turns(six_real *turns, int count)
{
#if SIX_TURN_BYTES
    const int lanes = SIX_TURN_BYTES/8;
    six_turn_vector *angles = (six_turn_vector *)(void *)turns;
    six_turn_vector *sines = (six_turn_vector *)(void *)(turns + count);
    six_turn_vector *cosines = (six_turn_vector *)(void *)(turns + 2*count);
    const six_turn_vector limit = (six_turn_vector){0} + 51471.0;
    six_turn_mask is_far = {0};
    int far = 0;
    for (int i = 0; i < count/lanes; i++) {
        const six_turn_vector x = angles[i];
        six_turn_vector shifted = x*0.6366197723675814 + 6755399441055744.0;
        six_turn_vector n;
        six_turn_vector r1;
        six_turn_vector second;
        six_turn_vector third;
        six_turn_vector r2;
        six_turn_vector r;
        six_turn_vector e;
        six_turn_vector e1;
        SIX_PIN(shifted);
        n = shifted - 6755399441055744.0;
        r1 = x - n*1.5707963267923333;
        SIX_PIN(r1);
        second = n*2.5633441515839558e-12;
        SIX_PIN(second);
        third = n*1.0562999066987428e-23;
        SIX_PIN(third);
        r2 = r1 - second;
        SIX_PIN(r2);
        r = r2 - third;
        SIX_PIN(r);
        e = (r2 - r) - third;
        SIX_PIN(e);
        e1 = (r1 - r2) - second;
        SIX_PIN(e1);
        e += e1;
        const six_turn_vector z = r*r;
        const six_turn_vector half = 0.5*z;
        const six_turn_vector w = 1.0 - half;
        const six_turn_vector p = -0.16666666666666632 + z*(0.008333333333322713 + z*(-0.00019841269830183278 + z*(2.7557313844073607e-06 + z*(-2.505078288512393e-08 + z*1.5898206353815472e-10))));
        const six_turn_vector k = 0.0416666666666666 + z*(-0.0013888888888873466 + z*(2.4801587287985298e-05 + z*(-2.7557313605210255e-07 + z*(2.087559005375572e-09 + z*-1.1351949061089001e-11))));
        const six_turn_vector s = r + (r*z*p + e*w);
        const six_turn_vector c = w + (((1.0 - w) - half) + (z*z*k - r*e));
        /* The lowest bits of the shifted number count quarter turns. */
        const six_turn_mask quarter = (six_turn_mask)shifted;
        const six_turn_mask odd = -(quarter & 1);
        const six_turn_mask swapped = ((six_turn_mask)s ^ (six_turn_mask)c) & odd;
        const six_turn_mask s_sign = (quarter & 2) << 62;
        const six_turn_mask c_sign = ((quarter + 1) & 2) << 62;
        sines[i] = (six_turn_vector)((six_turn_mask)s ^ swapped ^ s_sign);
        cosines[i] = (six_turn_vector)((six_turn_mask)c ^ swapped ^ c_sign);
        is_far |= ~((six_turn_mask)(x <= limit) & (six_turn_mask)(x >= -limit));
    }
    for (int lane = 0; lane < lanes; lane++) {
        far |= is_far[lane] != 0;
    }
    if (far) {
        six_far_turns(turns, count);
    }
#else
    for (int i = 0; i < count; i++) {
        six_sincos(turns[i], &turns[count + i], &turns[2*count + i]);
    }
#endif
}

/* Angles side by side; stored as they will be loaded, so that no load waits for several stores. */
static SIX_INLINE void six_set_turns(
    six_real *angles,
    six_real a0, six_real a1, six_real a2, six_real a3,
    six_real a4, six_real a5, six_real a6, six_real a7)
{
#if SIX_TURN_BYTES
    six_turn_vector *place = (six_turn_vector *)(void *)angles;
#endif
#if SIX_TURN_BYTES == 64
    place[0] = (six_turn_vector){a0, a1, a2, a3, a4, a5, a6, a7};
#elif SIX_TURN_BYTES == 32
    place[0] = (six_turn_vector){a0, a1, a2, a3};
    place[1] = (six_turn_vector){a4, a5, a6, a7};
#elif SIX_TURN_BYTES == 16
    place[0] = (six_turn_vector){a0, a1};
    place[1] = (six_turn_vector){a2, a3};
    place[2] = (six_turn_vector){a4, a5};
    place[3] = (six_turn_vector){a6, a7};
#else
    angles[0] = a0;
    angles[1] = a1;
    angles[2] = a2;
    angles[3] = a3;
    angles[4] = a4;
    angles[5] = a5;
    angles[6] = a6;
    angles[7] = a7;
#endif
}

const char *six_status_name(int code)
{
    const char *name;
    switch (code) {
    case SIX_OK:
        name = "OK";
        break;
    case SIX_SINGULAR_MASS_MATRIX:
        name = "singular_mass_matrix";
        break;
    case SIX_STEP_UNDERFLOW:
        name = "step_underflow";
        break;
    case SIX_TOO_MANY_STEPS:
        name = "too_many_steps";
        break;
    default:
        name = "unknown code";
        break;
    }
    return name;
}

int six_inverse_dynamics(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    const six_real a[SIX_RESTRICT 6],
    six_real tau[SIX_RESTRICT 6])
{
    SIX_ALIGNED six_real turns[24];
    six_set_turns(&turns[0], q[0], q[1], q[2], q[3], q[4], q[5], 0.0, 0.0);
    six_turns(turns, 8);
    const six_real cos_j0 = turns[16];
    const six_real sin_j0 = turns[8];
    const six_real cos_j1 = turns[17];
    const six_real sin_j1 = turns[9];
    const six_real cos_j2 = turns[18];
    const six_real sin_j2 = turns[10];
    const six_real cos_j3 = turns[19];
    const six_real sin_j3 = turns[11];
    const six_real cos_j4 = turns[20];
    const six_real sin_j4 = turns[12];
    const six_real cos_j5 = turns[21];
    const six_real sin_j5 = turns[13];
    const six_real t1 = 9.81*cos_j0 - 0.3*sin_j0;  /* j0.acceleration.x */
    const six_real t2 = 0.3*cos_j0 + 9.81*sin_j0;
    const six_real t3 = u[0]*u[0];
    const six_real t4 = u[0] + u[1];  /* j1.angular_velocity.z */
    const six_real t5 = a[0] + a[1];  /* j1.angular_acceleration.z */
    const six_real t6 = t1 - (0.1*t3 + 0.5*a[0]);
    const six_real t7 = t2 - (0.1*a[0] - 0.5*t3);
    const six_real t8 = cos_j1*t6 - sin_j1*t7;  /* j1.acceleration.x */
    const six_real t9 = cos_j1*t7 + sin_j1*t6;
    const six_real t10 = t4*t4;
    const six_real t11 = u[2] + t4;  /* j2.angular_velocity.z */
    const six_real t12 = a[2] + t5;  /* j2.angular_acceleration.z */
    const six_real t13 = t8 - (0.1*t10 + 0.5*t5);
    const six_real t14 = t9 - (0.1*t5 - 0.5*t10);
    const six_real t15 = cos_j2*t13 - sin_j2*t14;  /* j2.acceleration.x */
    const six_real t16 = cos_j2*t14 + sin_j2*t13;
    const six_real t17 = t11*t11;
    const six_real t18 = u[3] + t11;  /* j3.angular_velocity.z */
    const six_real t19 = a[3] + t12;  /* j3.angular_acceleration.z */
    const six_real t20 = t15 - (0.1*t17 + 0.5*t12);
    const six_real t21 = t16 - (0.1*t12 - 0.5*t17);
    const six_real t22 = cos_j3*t20 - sin_j3*t21;  /* j3.acceleration.x */
    const six_real t23 = cos_j3*t21 + sin_j3*t20;
    const six_real t24 = t18*t18;
    const six_real t25 = u[4] + t18;  /* j4.angular_velocity.z */
    const six_real t26 = a[4] + t19;  /* j4.angular_acceleration.z */
    const six_real t27 = t22 - (0.1*t24 + 0.5*t19);
    const six_real t28 = t23 - (0.1*t19 - 0.5*t24);
    const six_real t29 = cos_j4*t27 - sin_j4*t28;  /* j4.acceleration.x */
    const six_real t30 = cos_j4*t28 + sin_j4*t27;
    const six_real t31 = t25*t25;
    const six_real t32 = u[5] + t25;  /* j5.angular_velocity.z */
    const six_real t33 = a[5] + t26;  /* j5.angular_acceleration.z */
    const six_real t34 = 0.18000000000000002*t33;
    const six_real t35 = 0.18000000000000002*(t32*t32);
    const six_real t36 = t29 - (0.1*t31 + 0.5*t26);
    const six_real t37 = t30 - (0.1*t26 - 0.5*t31);
    const six_real t38 = cos_j5*t36 - sin_j5*t37;  /* j5.acceleration.x */
    const six_real t39 = 0.09400000000000001*t33 - 0.18000000000000002*t38;
    const six_real t40 = cos_j5*t34 - sin_j5*t35;
    const six_real t41 = sin_j5*t34 + cos_j5*t35;
    const six_real t42 = 0.06000000000000001*t31 + 0.51*t26 + t40;
    const six_real t43 = 0.06000000000000001*t26 - 0.51*t31 - t41;
    const six_real t44 = 0.06000000000000001*t30 + 0.51*t29;
    const six_real t45 = t39 - (0.1*t41 - 0.5*t40);
    const six_real t46 = 0.25900000000000006*t26 - t44 + t45;
    const six_real t47 = cos_j4*t42 + sin_j4*t43;
    const six_real t48 = sin_j4*t42 - cos_j4*t43;
    const six_real t49 = 0.13000000000000003*t24 + 0.8900000000000001*t19 + t47;
    const six_real t50 = 0.13000000000000003*t19 - 0.8900000000000001*t24 - t48;
    const six_real t51 = 0.13000000000000003*t23 + 0.8900000000000001*t22;
    const six_real t52 = t46 - (0.1*t48 - 0.5*t47);
    const six_real t53 = 0.45000000000000007*t19 - t51 + t52;
    const six_real t54 = cos_j3*t49 + sin_j3*t50;
    const six_real t55 = sin_j3*t49 - cos_j3*t50;
    const six_real t56 = 0.21000000000000008*t17 + 1.3200000000000003*t12 + t54;
    const six_real t57 = 0.21000000000000008*t12 - 1.3200000000000003*t17 - t55;
    const six_real t58 = 0.21000000000000008*t16 + 1.3200000000000003*t15;
    const six_real t59 = t53 - (0.1*t55 - 0.5*t54);
    const six_real t60 = 0.6670000000000001*t12 - t58 + t59;
    const six_real t61 = cos_j2*t56 + sin_j2*t57;
    const six_real t62 = sin_j2*t56 - cos_j2*t57;
    const six_real t63 = 0.3000000000000001*t10 + 1.8000000000000005*t5 + t61;
    const six_real t64 = 0.3000000000000001*t5 - 1.8000000000000005*t10 - t62;
    const six_real t65 = 0.3000000000000001*t9 + 1.8000000000000005*t8;
    const six_real t66 = t60 - (0.1*t62 - 0.5*t61);
    const six_real t67 = 0.9100000000000003*t5 - t65 + t66;
    const six_real t68 = 0.40000000000000013*t2 + 2.3300000000000005*t1;
    const six_real t69 = 1.1790000000000003*a[0] - t68;
    const six_real t70 = 0.1*(sin_j1*t63 - cos_j1*t64);
    const six_real t71 = 0.5*(cos_j1*t63 + sin_j1*t64);
    const six_real t72 = t69 + (t67 - (t70 - t71));
    tau[0] = 0.1*u[0] + t72;
    tau[1] = 0.1*u[1] + (t67 + 0.02*a[1]);
    tau[2] = 0.1*u[2] + t60;
    tau[3] = 0.1*u[3] + (t53 + 0.02*a[3]);
    tau[4] = 0.1*u[4] + t46;
    tau[5] = 0.1*u[5] + (t39 + 0.02*a[5]);
    return SIX_OK;
}

int six_forward_dynamics(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    const six_real tau[SIX_RESTRICT 6],
    six_real a[SIX_RESTRICT 6])
{
    SIX_ALIGNED six_real turns[24];
    six_set_turns(&turns[0], q[0], q[1], q[2], q[3], q[4], q[5], 0.0, 0.0);
    six_turns(turns, 8);
    const six_real sin_j1 = turns[9];
    const six_real cos_j1 = turns[17];
    const six_real cos_j5 = turns[21];
    const six_real sin_j5 = turns[13];
    const six_real cos_j4 = turns[20];
    const six_real sin_j4 = turns[12];
    const six_real cos_j3 = turns[19];
    const six_real sin_j3 = turns[11];
    const six_real cos_j2 = turns[18];
    const six_real sin_j2 = turns[10];
    const six_real cos_j0 = turns[16];
    const six_real sin_j0 = turns[8];
    const six_real t1 = 9.81*cos_j0 - 0.3*sin_j0;  /* j0.acceleration.x */
    const six_real t2 = 0.3*cos_j0 + 9.81*sin_j0;
    const six_real t3 = u[0]*u[0];
    const six_real t4 = u[0] + u[1];  /* j1.angular_velocity.z */
    const six_real t5 = t4*t4;
    const six_real t6 = u[2] + t4;  /* j2.angular_velocity.z */
    const six_real t7 = t6*t6;
    const six_real t8 = u[3] + t6;  /* j3.angular_velocity.z */
    const six_real t9 = t8*t8;
    const six_real t10 = u[4] + t8;  /* j4.angular_velocity.z */
    const six_real t11 = t10*t10;
    const six_real t12 = u[5] + t10;  /* j5.angular_velocity.z */
    const six_real t13 = 0.18000000000000002*(t12*t12);
    const six_real t14 = t1 - 0.1*t3;
    const six_real t15 = t2 + 0.5*t3;
    const six_real t16 = cos_j1*t14 - sin_j1*t15;  /* j1.acceleration.x */
    const six_real t17 = cos_j1*t15 + sin_j1*t14;
    const six_real t18 = 0.1*t5 - t16;
    const six_real t19 = 0.5*t5 + t17;
    const six_real t20 = cos_j2*t18 + sin_j2*t19;
    const six_real t21 = cos_j2*t19 - sin_j2*t18;
    const six_real t22 = 0.1*t7 + t20;
    const six_real t23 = 0.5*t7 + t21;
    const six_real t24 = cos_j3*t22 + sin_j3*t23;
    const six_real t25 = cos_j3*t23 - sin_j3*t22;
    const six_real t26 = 0.1*t9 + t24;
    const six_real t27 = 0.5*t9 + t25;
    const six_real t28 = cos_j4*t26 + sin_j4*t27;
    const six_real t29 = cos_j4*t27 - sin_j4*t26;
    const six_real t30 = cos_j5*(0.1*t11 + t28);
    const six_real t31 = t30 + sin_j5*(0.5*t11 + t29);
    const six_real t32 = 0.18000000000000002*t31;
    const six_real t33 = tau[5] - 0.1*u[5] - t32;
    const six_real t34 = 1.5789473684210527*t33;
    const six_real t35 = 0.2842105263157895*sin_j5;
    const six_real t36 = sin_j5*t35;
    const six_real t37 = 0.2842105263157895 - t36;
    const six_real t38 = cos_j5*t35;
    const six_real t39 = 0.1*t38 - 0.5*t37;
    const six_real t40 = 0.03157894736842107*cos_j5 + t39;
    const six_real t41 = 0.1*t36 - 0.5*t38;
    const six_real t42 = 0.03157894736842107*sin_j5 + t41;
    const six_real t43 = 0.016491228070175445 - (0.003157894736842107*sin_j5 - 0.015789473684210534*cos_j5);
    const six_real t44 = 0.1*t42 - 0.5*t40 - t43;
    const six_real t45 = 0.25900000000000006 - t44;  /* pivot of j4 */
    const six_real t46 = 0.51 + t40;
    const six_real t47 = 0.06000000000000001 - t42;
    const six_real t48 = sin_j5*t13 - cos_j5*t34;
    const six_real t49 = cos_j5*t13 + sin_j5*t34;
    const six_real t50 = 0.06000000000000001*t29 - 0.51*t28;
    const six_real t51 = 0.1*t49 + 0.5*t48;
    const six_real t52 = t50 - (t32 + 0.8245614035087719*t33 - t51);
    const six_real t53 = 1.0/t45;
    const six_real t54 = t53*(tau[4] - 0.1*u[4] + t52);
    const six_real t55 = t47*t53;
    const six_real t56 = t37 + t46*(t46*t53);
    const six_real t57 = t36 + t47*t55;
    const six_real t58 = t38 - t46*t55;
    const six_real t59 = 0.06000000000000001*t11 - t48 + t46*t54;
    const six_real t60 = 0.51*t11 + t49 - t47*t54;
    const six_real t61 = sin_j4*(t56 - t57);
    const six_real t62 = t61 + t58*(2.0*cos_j4);
    const six_real t63 = sin_j4*t62;
    const six_real t64 = t56 - t63;
    const six_real t65 = t57 + t63;
    const six_real t66 = t58 - cos_j4*t62;
    const six_real t67 = 0.1*t66 + 0.5*t64;
    const six_real t68 = 0.1*t65 + 0.5*t66;
    const six_real t69 = 0.45000000000000007 - (0.1*t68 + 0.5*t67);
    const six_real t70 = 0.8900000000000001 - t67;
    const six_real t71 = 0.13000000000000003 - t68;
    const six_real t72 = cos_j4*t59 - sin_j4*t60;
    const six_real t73 = sin_j4*t59 + cos_j4*t60;
    const six_real t74 = 0.13000000000000003*t25 - 0.8900000000000001*t24;
    const six_real t75 = 0.1*t73 - 0.5*t72;
    const six_real t76 = t74 + (t52 - t45*t54 + t75);
    const six_real t77 = 0.02 + t69;  /* pivot of j3 */
    const six_real t78 = 1.0/t77;
    const six_real t79 = t78*(tau[3] - 0.1*u[3] + t76);
    const six_real t80 = t69*t78;
    const six_real t81 = t71*t78;
    const six_real t82 = t70 - t70*t80;
    const six_real t83 = t71 - t71*t80;
    const six_real t84 = t64 + t70*(t70*t78);
    const six_real t85 = t65 + t71*t81;
    const six_real t86 = t66 + t70*t81;
    const six_real t87 = 0.13000000000000003*t9 + t72 + t70*t79;
    const six_real t88 = 0.8900000000000001*t9 + t73 - t71*t79;
    const six_real t89 = sin_j3*(t84 - t85);
    const six_real t90 = t89 - t86*(2.0*cos_j3);
    const six_real t91 = sin_j3*t90;
    const six_real t92 = t84 - t91;
    const six_real t93 = t85 + t91;
    const six_real t94 = t86 + cos_j3*t90;
    const six_real t95 = cos_j3*t82 + sin_j3*t83;
    const six_real t96 = sin_j3*t82 - cos_j3*t83;
    const six_real t97 = t95 + (0.1*t94 - 0.5*t92);
    const six_real t98 = t96 + (0.1*t93 - 0.5*t94);
    const six_real t99 = 0.1*t98 - 0.5*t97;
    const six_real t100 = 0.1*t96 - 0.5*t95;
    const six_real t101 = t99 - (t69 - t69*t80 - t100);
    const six_real t102 = 0.6670000000000001 - t101;  /* pivot of j2 */
    const six_real t103 = 1.3200000000000003 + t97;
    const six_real t104 = 0.21000000000000008 - t98;
    const six_real t105 = cos_j3*t87 - sin_j3*t88;
    const six_real t106 = sin_j3*t87 + cos_j3*t88;
    const six_real t107 = 0.21000000000000008*t21 - 1.3200000000000003*t20;
    const six_real t108 = 0.1*t106 - 0.5*t105;
    const six_real t109 = t107 + (t76 - t69*t79 + t108);
    const six_real t110 = 1.0/t102;
    const six_real t111 = t110*(tau[2] - 0.1*u[2] + t109);
    const six_real t112 = t104*t110;
    const six_real t113 = t92 + t103*(t103*t110);
    const six_real t114 = t93 + t104*t112;
    const six_real t115 = t94 - t103*t112;
    const six_real t116 = 0.21000000000000008*t7 + t105 + t103*t111;
    const six_real t117 = 1.3200000000000003*t7 + t106 - t104*t111;
    const six_real t118 = sin_j2*(t113 - t114);
    const six_real t119 = t118 + t115*(2.0*cos_j2);
    const six_real t120 = sin_j2*t119;
    const six_real t121 = t113 - t120;
    const six_real t122 = t114 + t120;
    const six_real t123 = t115 - cos_j2*t119;
    const six_real t124 = 0.1*t123 + 0.5*t121;
    const six_real t125 = 0.1*t122 + 0.5*t123;
    const six_real t126 = 0.9100000000000003 - (0.1*t125 + 0.5*t124);
    const six_real t127 = 1.8000000000000005 - t124;
    const six_real t128 = 0.3000000000000001 - t125;
    const six_real t129 = cos_j2*t116 - sin_j2*t117;
    const six_real t130 = sin_j2*t116 + cos_j2*t117;
    const six_real t131 = 0.3000000000000001*t17 + 1.8000000000000005*t16;
    const six_real t132 = 0.1*t130 - 0.5*t129;
    const six_real t133 = t131 + (t109 - t102*t111 + t132);
    const six_real t134 = 0.02 + t126;  /* pivot of j1 */
    const six_real t135 = 1.0/t134;
    const six_real t136 = t135*(tau[1] - 0.1*u[1] + t133);
    const six_real t137 = t126*t135;
    const six_real t138 = t128*t135;
    const six_real t139 = t127 - t127*t137;
    const six_real t140 = t128 - t128*t137;
    const six_real t141 = t121 + t127*(t127*t135);
    const six_real t142 = t122 + t128*t138;
    const six_real t143 = t123 + t127*t138;
    const six_real t144 = 0.3000000000000001*t5 + t129 + t127*t136;
    const six_real t145 = 1.8000000000000005*t5 + t130 - t128*t136;
    const six_real t146 = sin_j1*(t141 - t142);
    const six_real t147 = t146 - t143*(2.0*cos_j1);
    const six_real t148 = sin_j1*t147;
    const six_real t149 = t143 + cos_j1*t147;
    const six_real t150 = cos_j1*t139 + sin_j1*t140;
    const six_real t151 = sin_j1*t139 - cos_j1*t140;
    const six_real t152 = 0.1*(t142 + t148) - 0.5*t149;
    const six_real t153 = 0.1*(t151 + t152);
    const six_real t154 = 0.1*t149 - 0.5*(t141 - t148);
    const six_real t155 = t153 - 0.5*(t150 + t154);
    const six_real t156 = 0.1*t151 - 0.5*t150;
    const six_real t157 = t155 - (t126 - t126*t137 - t156);
    const six_real t158 = 1.1790000000000003 - t157;  /* pivot of j0 */
    const six_real t159 = 0.1*(sin_j1*t144 + cos_j1*t145);
    const six_real t160 = 0.5*(cos_j1*t144 - sin_j1*t145);
    const six_real t161 = t133 - t126*t136 + (t159 - t160);
    const six_real t162 = 0.40000000000000013*t2 + 2.3300000000000005*t1 + t161;
    const six_real t163 = tau[0] - 0.1*u[0] + t162;
    const six_real t164 = 1.0/t158*t163;
    a[0] = t164;
    const six_real t165 = 0.5*t164;
    const six_real t166 = 0.1*t164;
    const six_real t167 = cos_j1*t165 - sin_j1*t166;
    const six_real t168 = cos_j1*t166 + sin_j1*t165;
    const six_real t169 = t127*t167 + t128*t168;
    const six_real t170 = t136 - t135*(t126*t164 + t169);
    a[1] = t170;
    const six_real t171 = t164 + t170;
    const six_real t172 = t167 + 0.5*t171;
    const six_real t173 = t168 + 0.1*t171;
    const six_real t174 = cos_j2*t172 - sin_j2*t173;
    const six_real t175 = cos_j2*t173 + sin_j2*t172;
    const six_real t176 = t103*t174 + t104*t175;
    const six_real t177 = t111 - t110*(t102*t171 + t176);
    a[2] = t177;
    const six_real t178 = t171 + t177;
    const six_real t179 = t174 + 0.5*t178;
    const six_real t180 = t175 + 0.1*t178;
    const six_real t181 = cos_j3*t179 - sin_j3*t180;
    const six_real t182 = cos_j3*t180 + sin_j3*t179;
    const six_real t183 = t70*t181 + t71*t182;
    const six_real t184 = t79 - t78*(t69*t178 + t183);
    a[3] = t184;
    const six_real t185 = t178 + t184;
    const six_real t186 = t181 + 0.5*t185;
    const six_real t187 = t182 + 0.1*t185;
    const six_real t188 = cos_j4*t186 - sin_j4*t187;
    const six_real t189 = cos_j4*t187 + sin_j4*t186;
    const six_real t190 = t46*t188 + t47*t189;
    const six_real t191 = t54 - t53*(t45*t185 + t190);
    a[4] = t191;
    const six_real t192 = t185 + t191;
    const six_real t193 = cos_j5*(t188 + 0.5*t192);
    const six_real t194 = t193 - sin_j5*(t189 + 0.1*t192);
    const six_real t195 = 8.771929824561402*(0.09400000000000001*t192 + 0.18000000000000002*t194);
    a[5] = 8.771929824561402*t33 - t195;
    if (!(t45 > 0.0)) {
        return SIX_SINGULAR_MASS_MATRIX;
    }
    if (!(t77 > 0.0)) {
        return SIX_SINGULAR_MASS_MATRIX;
    }
    if (!(t102 > 0.0)) {
        return SIX_SINGULAR_MASS_MATRIX;
    }
    if (!(t134 > 0.0)) {
        return SIX_SINGULAR_MASS_MATRIX;
    }
    if (!(t158 > 0.0)) {
        return SIX_SINGULAR_MASS_MATRIX;
    }
    return SIX_OK;
}

int six_mass_matrix(const six_real q[SIX_RESTRICT 6], six_real M[SIX_RESTRICT 36])
{
    six_real sin_j5;
    six_real cos_j5;
    six_sincos(q[5], &sin_j5, &cos_j5);
    six_real sin_j4;
    six_real cos_j4;
    six_sincos(q[4], &sin_j4, &cos_j4);
    six_real sin_j3;
    six_real cos_j3;
    six_sincos(q[3], &sin_j3, &cos_j3);
    six_real sin_j2;
    six_real cos_j2;
    six_sincos(q[2], &sin_j2, &cos_j2);
    six_real sin_j1;
    six_real cos_j1;
    six_sincos(q[1], &sin_j1, &cos_j1);
    const six_real t1 = 0.18000000000000002*cos_j5;
    const six_real t2 = 0.18000000000000002*sin_j5;
    const six_real t3 = 0.51 + t1;
    const six_real t4 = 0.06000000000000001 - t2;
    const six_real t5 = cos_j4*t3 + sin_j4*t4;
    const six_real t6 = sin_j4*t3 - cos_j4*t4;
    const six_real t7 = 0.8900000000000001 + t5;
    const six_real t8 = 0.13000000000000003 - t6;
    const six_real t9 = cos_j3*t7 + sin_j3*t8;
    const six_real t10 = sin_j3*t7 - cos_j3*t8;
    const six_real t11 = 1.3200000000000003 + t9;
    const six_real t12 = 0.21000000000000008 - t10;
    const six_real t13 = cos_j2*t11 + sin_j2*t12;
    const six_real t14 = sin_j2*t11 - cos_j2*t12;
    const six_real t15 = 1.8000000000000005 + t13;
    const six_real t16 = 0.3000000000000001 - t14;
    const six_real t17 = cos_j1*t15 + sin_j1*t16;
    const six_real t18 = sin_j1*t15 - cos_j1*t16;
    const six_real t19 = 0.044*sin_j5;
    const six_real t20 = sin_j5*t19;
    const six_real t21 = 0.031000000000000007 + (0.025000000000000005 + t20 - 0.036000000000000004*sin_j5);
    const six_real t22 = 0.22800000000000004 + (t1 + (0.069 - t20));
    const six_real t23 = 0.018000000000000002*cos_j5 - 0.09000000000000001*sin_j5;
    const six_real t24 = 0.030000000000000006 - (cos_j5*t19 - t23);
    const six_real t25 = sin_j4*(t21 - t22);
    const six_real t26 = t25 + 2.0*cos_j4*t24;
    const six_real t27 = sin_j4*t26;
    const six_real t28 = 0.038000000000000006 + (t21 - t27 - 0.2*t6);
    const six_real t29 = 0.41200000000000003 + (t5 + (t22 + t27));
    const six_real t30 = 0.1*t5 - 0.5*t6;
    const six_real t31 = 0.06500000000000002 - (t24 - cos_j4*t26 - t30);
    const six_real t32 = sin_j3*(t28 - t29);
    const six_real t33 = t32 + 2.0*cos_j3*t31;
    const six_real t34 = sin_j3*t33;
    const six_real t35 = 0.04600000000000001 + (t28 - t34 - 0.2*t10);
    const six_real t36 = 0.6210000000000001 + (t9 + (t29 + t34));
    const six_real t37 = 0.1*t9 - 0.5*t10;
    const six_real t38 = 0.10500000000000004 - (t31 - cos_j3*t33 - t37);
    const six_real t39 = sin_j2*(t35 - t36);
    const six_real t40 = t39 + 2.0*cos_j2*t38;
    const six_real t41 = sin_j2*t40;
    const six_real t42 = 0.05500000000000002 + (t35 - t41 - 0.2*t14);
    const six_real t43 = 0.8550000000000002 + (t13 + (t36 + t41));
    const six_real t44 = sin_j1*(t42 - t43);
    const six_real t45 = 0.1*t13 - 0.5*t14;
    const six_real t46 = 0.15000000000000005 - (t38 - cos_j2*t40 - t45);
    const six_real t47 = sin_j1*(t44 + 2.0*cos_j1*t46);
    const six_real t48 = 0.06500000000000002 + (t42 - t47 - 0.2*t18);
    M[0] = t48 + (1.1140000000000003 + (t17 + (t43 + t47)));  /* M[j0, j0] */
    const six_real t50 = t42 + t43;
    const six_real t51 = t50 + (0.5*t17 - 0.1*t18);  /* M[j1, j0] */
    M[1] = t51;
    M[6] = t51;
    const six_real t52 = t35 + t36;  /* M[j2, j2] */
    M[14] = t52;
    const six_real t53 = t52 + (0.5*t13 - 0.1*t14);  /* M[j2, j1] */
    M[8] = t53;
    M[13] = t53;
    const six_real t54 = 0.1*(sin_j1*t13 + cos_j1*t14);
    const six_real t55 = 0.5*(cos_j1*t13 - sin_j1*t14);
    const six_real t56 = t53 - (t54 - t55);  /* M[j2, j0] */
    M[2] = t56;
    M[12] = t56;
    const six_real t57 = t28 + t29;
    const six_real t58 = t57 + (0.5*t9 - 0.1*t10);  /* M[j3, j2] */
    M[15] = t58;
    M[20] = t58;
    const six_real t59 = cos_j2*t9 - sin_j2*t10;
    const six_real t60 = sin_j2*t9 + cos_j2*t10;
    const six_real t61 = t58 - (0.1*t60 - 0.5*t59);  /* M[j3, j1] */
    M[9] = t61;
    M[19] = t61;
    const six_real t62 = 0.1*(sin_j1*t59 + cos_j1*t60);
    const six_real t63 = 0.5*(cos_j1*t59 - sin_j1*t60);
    const six_real t64 = t61 - (t62 - t63);  /* M[j3, j0] */
    M[3] = t64;
    M[18] = t64;
    const six_real t65 = t21 + t22;  /* M[j4, j4] */
    M[28] = t65;
    const six_real t66 = t65 + (0.5*t5 - 0.1*t6);  /* M[j4, j3] */
    M[22] = t66;
    M[27] = t66;
    const six_real t67 = cos_j3*t5 - sin_j3*t6;
    const six_real t68 = sin_j3*t5 + cos_j3*t6;
    const six_real t69 = t66 - (0.1*t68 - 0.5*t67);  /* M[j4, j2] */
    M[16] = t69;
    M[26] = t69;
    const six_real t70 = cos_j2*t67 - sin_j2*t68;
    const six_real t71 = sin_j2*t67 + cos_j2*t68;
    const six_real t72 = t69 - (0.1*t71 - 0.5*t70);  /* M[j4, j1] */
    M[10] = t72;
    M[25] = t72;
    const six_real t73 = 0.1*(sin_j1*t70 + cos_j1*t71);
    const six_real t74 = 0.5*(cos_j1*t70 - sin_j1*t71);
    const six_real t75 = t72 - (t73 - t74);  /* M[j4, j0] */
    M[4] = t75;
    M[24] = t75;
    const six_real t76 = 0.09400000000000001 + (0.09000000000000001*cos_j5 - 0.018000000000000002*sin_j5);  /* M[j5, j4] */
    M[29] = t76;
    M[34] = t76;
    const six_real t77 = cos_j4*t1 - sin_j4*t2;
    const six_real t78 = sin_j4*t1 + cos_j4*t2;
    const six_real t79 = t76 - (0.1*t78 - 0.5*t77);  /* M[j5, j3] */
    M[23] = t79;
    M[33] = t79;
    const six_real t80 = cos_j3*t77 - sin_j3*t78;
    const six_real t81 = sin_j3*t77 + cos_j3*t78;
    const six_real t82 = t79 - (0.1*t81 - 0.5*t80);  /* M[j5, j2] */
    M[17] = t82;
    M[32] = t82;
    const six_real t83 = cos_j2*t80 - sin_j2*t81;
    const six_real t84 = sin_j2*t80 + cos_j2*t81;
    const six_real t85 = t82 - (0.1*t84 - 0.5*t83);  /* M[j5, j1] */
    M[11] = t85;
    M[31] = t85;
    const six_real t86 = 0.1*(sin_j1*t83 + cos_j1*t84);
    const six_real t87 = 0.5*(cos_j1*t83 - sin_j1*t84);
    const six_real t88 = t85 - (t86 - t87);  /* M[j5, j0] */
    M[5] = t88;
    M[30] = t88;
    M[7] = 0.02 + t50;  /* M[j1, j1] */
    M[21] = 0.02 + t57;  /* M[j3, j3] */
    M[35] = 0.11400000000000002;
    return SIX_OK;
}

int six_bias(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    six_real c[SIX_RESTRICT 6])
{
    SIX_ALIGNED six_real turns[24];
    six_set_turns(&turns[0], q[0], q[1], q[2], q[3], q[4], q[5], 0.0, 0.0);
    six_turns(turns, 8);
    const six_real cos_j0 = turns[16];
    const six_real sin_j0 = turns[8];
    const six_real cos_j1 = turns[17];
    const six_real sin_j1 = turns[9];
    const six_real cos_j2 = turns[18];
    const six_real sin_j2 = turns[10];
    const six_real cos_j3 = turns[19];
    const six_real sin_j3 = turns[11];
    const six_real cos_j4 = turns[20];
    const six_real sin_j4 = turns[12];
    const six_real cos_j5 = turns[21];
    const six_real sin_j5 = turns[13];
    const six_real t1 = 9.81*cos_j0 - 0.3*sin_j0;  /* j0.acceleration.x */
    const six_real t2 = 0.3*cos_j0 + 9.81*sin_j0;
    const six_real t3 = u[0]*u[0];
    const six_real t4 = u[0] + u[1];  /* j1.angular_velocity.z */
    const six_real t5 = t4*t4;
    const six_real t6 = u[2] + t4;  /* j2.angular_velocity.z */
    const six_real t7 = t6*t6;
    const six_real t8 = u[3] + t6;  /* j3.angular_velocity.z */
    const six_real t9 = t8*t8;
    const six_real t10 = u[4] + t8;  /* j4.angular_velocity.z */
    const six_real t11 = t10*t10;
    const six_real t12 = u[5] + t10;  /* j5.angular_velocity.z */
    const six_real t13 = 0.18000000000000002*(t12*t12);
    const six_real t14 = sin_j5*t13;
    const six_real t15 = cos_j5*t13;
    const six_real t16 = t1 - 0.1*t3;
    const six_real t17 = t2 + 0.5*t3;
    const six_real t18 = cos_j1*t16 - sin_j1*t17;  /* j1.acceleration.x */
    const six_real t19 = cos_j1*t17 + sin_j1*t16;
    const six_real t20 = 0.1*t5 - t18;
    const six_real t21 = 0.5*t5 + t19;
    const six_real t22 = cos_j2*t20 + sin_j2*t21;
    const six_real t23 = cos_j2*t21 - sin_j2*t20;
    const six_real t24 = 0.1*t7 + t22;
    const six_real t25 = 0.5*t7 + t23;
    const six_real t26 = cos_j3*t24 + sin_j3*t25;
    const six_real t27 = cos_j3*t25 - sin_j3*t24;
    const six_real t28 = 0.1*t9 + t26;
    const six_real t29 = 0.5*t9 + t27;
    const six_real t30 = cos_j4*t28 + sin_j4*t29;
    const six_real t31 = cos_j4*t29 - sin_j4*t28;
    const six_real t32 = cos_j5*(0.1*t11 + t30);
    const six_real t33 = t32 + sin_j5*(0.5*t11 + t31);
    const six_real t34 = 0.18000000000000002*t33;
    const six_real t35 = 0.06000000000000001*t11 - t14;
    const six_real t36 = 0.51*t11 + t15;
    const six_real t37 = t34 - (0.1*t15 + 0.5*t14);
    const six_real t38 = 0.06000000000000001*t31 - 0.51*t30 - t37;
    const six_real t39 = cos_j4*t35 - sin_j4*t36;
    const six_real t40 = sin_j4*t35 + cos_j4*t36;
    const six_real t41 = 0.13000000000000003*t9 + t39;
    const six_real t42 = 0.8900000000000001*t9 + t40;
    const six_real t43 = t38 + (0.1*t40 - 0.5*t39);
    const six_real t44 = 0.13000000000000003*t27 - 0.8900000000000001*t26 + t43;
    const six_real t45 = cos_j3*t41 - sin_j3*t42;
    const six_real t46 = sin_j3*t41 + cos_j3*t42;
    const six_real t47 = 0.21000000000000008*t7 + t45;
    const six_real t48 = 1.3200000000000003*t7 + t46;
    const six_real t49 = t44 + (0.1*t46 - 0.5*t45);
    const six_real t50 = 0.21000000000000008*t23 - 1.3200000000000003*t22 + t49;
    const six_real t51 = cos_j2*t47 - sin_j2*t48;
    const six_real t52 = sin_j2*t47 + cos_j2*t48;
    const six_real t53 = 0.3000000000000001*t5 + t51;
    const six_real t54 = 1.8000000000000005*t5 + t52;
    const six_real t55 = t50 + (0.1*t52 - 0.5*t51);
    const six_real t56 = 0.3000000000000001*t19 + 1.8000000000000005*t18 + t55;
    const six_real t57 = 0.40000000000000013*t2 + 2.3300000000000005*t1;
    const six_real t58 = 0.1*(sin_j1*t53 + cos_j1*t54);
    const six_real t59 = 0.5*(cos_j1*t53 - sin_j1*t54);
    const six_real t60 = t57 + (t56 + (t58 - t59));
    c[0] = 0.1*u[0] - t60;
    c[1] = 0.1*u[1] - t56;
    c[2] = 0.1*u[2] - t50;
    c[3] = 0.1*u[3] - t44;
    c[4] = 0.1*u[4] - t38;
    c[5] = 0.1*u[5] + t34;
    return SIX_OK;
}

int six_gravity(const six_real q[SIX_RESTRICT 6], six_real g[SIX_RESTRICT 6])
{
    SIX_ALIGNED six_real turns[24];
    six_set_turns(&turns[0], q[0], q[1], q[2], q[3], q[4], q[5], 0.0, 0.0);
    six_turns(turns, 8);
    const six_real cos_j0 = turns[16];
    const six_real sin_j0 = turns[8];
    const six_real cos_j1 = turns[17];
    const six_real sin_j1 = turns[9];
    const six_real cos_j2 = turns[18];
    const six_real sin_j2 = turns[10];
    const six_real cos_j3 = turns[19];
    const six_real sin_j3 = turns[11];
    const six_real cos_j4 = turns[20];
    const six_real sin_j4 = turns[12];
    const six_real cos_j5 = turns[21];
    const six_real sin_j5 = turns[13];
    const six_real t1 = 9.81*cos_j0 - 0.3*sin_j0;  /* j0.acceleration.x */
    const six_real t2 = 0.3*cos_j0 + 9.81*sin_j0;
    const six_real t3 = cos_j1*t1 - sin_j1*t2;  /* j1.acceleration.x */
    const six_real t4 = cos_j1*t2 + sin_j1*t1;
    const six_real t5 = cos_j2*t3 - sin_j2*t4;  /* j2.acceleration.x */
    const six_real t6 = cos_j2*t4 + sin_j2*t3;
    const six_real t7 = cos_j3*t5 - sin_j3*t6;  /* j3.acceleration.x */
    const six_real t8 = cos_j3*t6 + sin_j3*t5;
    const six_real t9 = cos_j4*t7 - sin_j4*t8;  /* j4.acceleration.x */
    const six_real t10 = cos_j4*t8 + sin_j4*t7;
    const six_real t11 = cos_j5*t9 - sin_j5*t10;  /* j5.acceleration.x */
    const six_real t12 = 0.18000000000000002*t11;
    g[5] = -t12;
    const six_real t13 = 0.06000000000000001*t10 + 0.51*t9 + t12;
    g[4] = -t13;
    const six_real t14 = 0.13000000000000003*t8 + 0.8900000000000001*t7 + t13;
    g[3] = -t14;
    const six_real t15 = 0.21000000000000008*t6 + 1.3200000000000003*t5 + t14;
    g[2] = -t15;
    const six_real t16 = 0.3000000000000001*t4 + 1.8000000000000005*t3 + t15;
    g[1] = -t16;
    g[0] = -(0.40000000000000013*t2 + 2.3300000000000005*t1 + t16);
    return SIX_OK;
}

int six_kinetic_energy(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    six_real T[SIX_RESTRICT 1])
{
    six_real sin_j1;
    six_real cos_j1;
    six_sincos(q[1], &sin_j1, &cos_j1);
    six_real sin_j2;
    six_real cos_j2;
    six_sincos(q[2], &sin_j2, &cos_j2);
    six_real sin_j3;
    six_real cos_j3;
    six_sincos(q[3], &sin_j3, &cos_j3);
    six_real sin_j4;
    six_real cos_j4;
    six_sincos(q[4], &sin_j4, &cos_j4);
    six_real sin_j5;
    six_real cos_j5;
    six_sincos(q[5], &sin_j5, &cos_j5);
    const six_real t1 = 0.1*u[0];
    const six_real t2 = u[0] + u[1];  /* j1.angular_velocity.z */
    const six_real t3 = u[2] + t2;  /* j2.angular_velocity.z */
    const six_real t4 = u[3] + t3;  /* j3.angular_velocity.z */
    const six_real t5 = u[4] + t4;  /* j4.angular_velocity.z */
    const six_real t6 = u[5] + t5;  /* j5.angular_velocity.z */
    const six_real t7 = 0.5*u[0];
    const six_real t8 = cos_j1*t7 - sin_j1*t1;
    const six_real t9 = cos_j1*t1 + sin_j1*t7;  /* j1.velocity.y */
    const six_real t10 = t8 + 0.5*t2;
    const six_real t11 = t9 + 0.1*t2;
    const six_real t12 = cos_j2*t10 - sin_j2*t11;
    const six_real t13 = cos_j2*t11 + sin_j2*t10;  /* j2.velocity.y */
    const six_real t14 = t12 + 0.5*t3;
    const six_real t15 = t13 + 0.1*t3;
    const six_real t16 = cos_j3*t14 - sin_j3*t15;
    const six_real t17 = cos_j3*t15 + sin_j3*t14;  /* j3.velocity.y */
    const six_real t18 = t16 + 0.5*t4;
    const six_real t19 = t17 + 0.1*t4;
    const six_real t20 = cos_j4*t18 - sin_j4*t19;
    const six_real t21 = cos_j4*t19 + sin_j4*t18;  /* j4.velocity.y */
    const six_real t22 = cos_j5*(t20 + 0.5*t5);
    const six_real t23 = t22 - sin_j5*(t21 + 0.1*t5);
    const six_real t24 = t8*(1.8000000000000005*t2);
    const six_real t25 = t24 + t9*(0.3000000000000001*t2);
    const six_real t26 = u[0]*(1.1790000000000003*u[0]) + t25;
    const six_real t27 = 0.3000000000000001*t9 + 1.8000000000000005*t8;
    const six_real t28 = t26 + t2*(0.9100000000000003*t2 + t27);
    const six_real t29 = t12*(1.3200000000000003*t3);
    const six_real t30 = t28 + (t29 + t13*(0.21000000000000008*t3));
    const six_real t31 = 0.21000000000000008*t13 + 1.3200000000000003*t12;
    const six_real t32 = t30 + t3*(0.6670000000000001*t3 + t31);
    const six_real t33 = t16*(0.8900000000000001*t4);
    const six_real t34 = t32 + (t33 + t17*(0.13000000000000003*t4));
    const six_real t35 = 0.13000000000000003*t17 + 0.8900000000000001*t16;
    const six_real t36 = t34 + t4*(0.45000000000000007*t4 + t35);
    const six_real t37 = t20*(0.51*t5);
    const six_real t38 = t36 + (t37 + t21*(0.06000000000000001*t5));
    const six_real t39 = 0.06000000000000001*t21 + 0.51*t20;
    const six_real t40 = t38 + t5*(0.25900000000000006*t5 + t39);
    const six_real t41 = t6*(0.09400000000000001*t6 + 0.18000000000000002*t23);
    const six_real t42 = t40 + t23*(0.18000000000000002*t6) + t41;
    const six_real t43 = t42 + u[1]*(0.02*u[1]);
    const six_real t44 = t43 + u[3]*(0.02*u[3]);
    T[0] = 0.5*(t44 + u[5]*(0.02*u[5]));
    return SIX_OK;
}

int six_potential_energy(const six_real q[SIX_RESTRICT 6], six_real V[SIX_RESTRICT 1])
{
    SIX_ALIGNED six_real turns[24];
    six_set_turns(&turns[0], q[0], q[1], q[2], q[3], q[4], q[5], 0.0, 0.0);
    six_turns(turns, 8);
    const six_real sin_j0 = turns[8];
    const six_real cos_j0 = turns[16];
    const six_real sin_j1 = turns[9];
    const six_real cos_j1 = turns[17];
    const six_real cos_j2 = turns[18];
    const six_real sin_j2 = turns[10];
    const six_real cos_j3 = turns[19];
    const six_real sin_j3 = turns[11];
    const six_real cos_j4 = turns[20];
    const six_real sin_j4 = turns[12];
    const six_real cos_j5 = turns[21];
    const six_real sin_j5 = turns[13];
    const six_real t1 = 0.51 + 0.18000000000000002*cos_j5;
    const six_real t2 = 0.06000000000000001 - 0.18000000000000002*sin_j5;
    const six_real t3 = 0.8900000000000001 + (cos_j4*t1 + sin_j4*t2);
    const six_real t4 = 0.13000000000000003 - (sin_j4*t1 - cos_j4*t2);
    const six_real t5 = 1.3200000000000003 + (cos_j3*t3 + sin_j3*t4);
    const six_real t6 = 0.21000000000000008 - (sin_j3*t3 - cos_j3*t4);
    const six_real t7 = 1.8000000000000005 + (cos_j2*t5 + sin_j2*t6);
    const six_real t8 = 0.3000000000000001 - (sin_j2*t5 - cos_j2*t6);
    const six_real t9 = 2.3300000000000005 + (cos_j1*t7 + sin_j1*t8);
    const six_real t10 = 0.40000000000000013 - (sin_j1*t7 - cos_j1*t8);
    const six_real t11 = 2.5500000000000007 + (sin_j0*t10 + cos_j0*t9);
    const six_real t12 = 0.5100000000000001 + (cos_j0*t10 - sin_j0*t9);
    V[0] = -(0.3*t11 - 9.81*t12);
    return SIX_OK;
}

int six_power(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    const six_real tau[SIX_RESTRICT 6],
    six_real P[SIX_RESTRICT 1])
{
    (void)q;
    const six_real t1 = u[0]*(tau[0] - 0.1*u[0]);
    const six_real t2 = t1 + u[1]*(tau[1] - 0.1*u[1]);
    const six_real t3 = t2 + u[2]*(tau[2] - 0.1*u[2]);
    const six_real t4 = t3 + u[3]*(tau[3] - 0.1*u[3]);
    const six_real t5 = t4 + u[4]*(tau[4] - 0.1*u[4]);
    P[0] = t5 + u[5]*(tau[5] - 0.1*u[5]);
    return SIX_OK;
}

int six_momentum(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    six_real h[SIX_RESTRICT 6])
{
    SIX_ALIGNED six_real turns[24];
    six_set_turns(&turns[0], q[0], q[1], q[2], q[3], q[4], q[5], 0.0, 0.0);
    six_turns(turns, 8);
    const six_real sin_j0 = turns[8];
    const six_real cos_j0 = turns[16];
    const six_real cos_j1 = turns[17];
    const six_real sin_j1 = turns[9];
    const six_real cos_j2 = turns[18];
    const six_real sin_j2 = turns[10];
    const six_real cos_j3 = turns[19];
    const six_real sin_j3 = turns[11];
    const six_real cos_j4 = turns[20];
    const six_real sin_j4 = turns[12];
    const six_real cos_j5 = turns[21];
    const six_real sin_j5 = turns[13];
    const six_real t1 = 0.1*u[0];
    const six_real t2 = u[0] + u[1];  /* j1.angular_velocity.z */
    const six_real t3 = u[2] + t2;  /* j2.angular_velocity.z */
    const six_real t4 = u[3] + t3;  /* j3.angular_velocity.z */
    const six_real t5 = u[4] + t4;  /* j4.angular_velocity.z */
    const six_real t6 = u[5] + t5;  /* j5.angular_velocity.z */
    const six_real t7 = 0.5*u[0];
    const six_real t8 = cos_j1*t7 - sin_j1*t1;
    const six_real t9 = cos_j1*t1 + sin_j1*t7;  /* j1.velocity.y */
    const six_real t10 = t8 + 0.5*t2;
    const six_real t11 = t9 + 0.1*t2;
    const six_real t12 = cos_j2*t10 - sin_j2*t11;
    const six_real t13 = cos_j2*t11 + sin_j2*t10;  /* j2.velocity.y */
    const six_real t14 = t12 + 0.5*t3;
    const six_real t15 = t13 + 0.1*t3;
    const six_real t16 = cos_j3*t14 - sin_j3*t15;
    const six_real t17 = cos_j3*t15 + sin_j3*t14;  /* j3.velocity.y */
    const six_real t18 = t16 + 0.5*t4;
    const six_real t19 = t17 + 0.1*t4;
    const six_real t20 = cos_j4*t18 - sin_j4*t19;
    const six_real t21 = cos_j4*t19 + sin_j4*t18;  /* j4.velocity.y */
    const six_real t22 = 0.18000000000000002*t6;
    const six_real t23 = 0.018000000000000002*t6;
    const six_real t24 = cos_j5*t22;
    const six_real t25 = sin_j5*t22;
    const six_real t26 = 0.51*t5 + t24;
    const six_real t27 = 0.06000000000000001*t5 - t25;
    const six_real t28 = 0.006000000000000002*t5 - sin_j5*t23;
    const six_real t29 = 0.051000000000000004*t5 + cos_j5*t23;
    const six_real t30 = cos_j4*t26 + sin_j4*t27;
    const six_real t31 = sin_j4*t26 - cos_j4*t27;
    const six_real t32 = 0.8900000000000001*t4 + t30;
    const six_real t33 = 0.13000000000000003*t4 - t31;
    const six_real t34 = cos_j4*t28 - sin_j4*t29;
    const six_real t35 = 0.013000000000000001*t4 + t34;
    const six_real t36 = sin_j4*t28 + cos_j4*t29;
    const six_real t37 = 0.08900000000000001*t4 + t36;
    const six_real t38 = cos_j3*t32 + sin_j3*t33;
    const six_real t39 = sin_j3*t32 - cos_j3*t33;
    const six_real t40 = 1.3200000000000003*t3 + t38;
    const six_real t41 = 0.21000000000000008*t3 - t39;
    const six_real t42 = cos_j3*t35 - sin_j3*t37;
    const six_real t43 = 0.021000000000000005*t3 + t42;
    const six_real t44 = sin_j3*t35 + cos_j3*t37;
    const six_real t45 = 0.132*t3 + t44;
    const six_real t46 = cos_j2*t40 + sin_j2*t41;
    const six_real t47 = sin_j2*t40 - cos_j2*t41;
    const six_real t48 = 1.8000000000000005*t2 + t46;
    const six_real t49 = 0.3000000000000001*t2 - t47;
    const six_real t50 = cos_j2*t43 - sin_j2*t45;
    const six_real t51 = 0.030000000000000006*t2 + t50;
    const six_real t52 = sin_j2*t43 + cos_j2*t45;
    const six_real t53 = 0.18000000000000002*t2 + t52;
    const six_real t54 = cos_j1*t48 + sin_j1*t49;
    const six_real t55 = sin_j1*t48 - cos_j1*t49;
    const six_real t56 = 2.3300000000000005*u[0] + t54;
    const six_real t57 = 0.40000000000000013*u[0] - t55;
    const six_real t58 = cos_j1*t51 - sin_j1*t53;
    const six_real t59 = 0.04000000000000001*u[0] + t58;
    const six_real t60 = sin_j1*t51 + cos_j1*t53;
    const six_real t61 = 0.233*u[0] + t60;
    const six_real t62 = cos_j0*t56 + sin_j0*t57;
    h[2] = -t62;
    const six_real t63 = sin_j0*t56 - cos_j0*t57;
    h[0] = -t63;
    h[5] = -(cos_j0*t59 - sin_j0*t61);
    h[3] = -(sin_j0*t59 + cos_j0*t61);
    const six_real t66 = 0.3000000000000001*t9 + 1.8000000000000005*t8;
    const six_real t67 = 0.21000000000000008*t13 + 1.3200000000000003*t12;
    const six_real t68 = 0.13000000000000003*t17 + 0.8900000000000001*t16;
    const six_real t69 = 0.06000000000000001*t21 + 0.51*t20;
    const six_real t70 = cos_j5*(t20 + 0.5*t5);
    const six_real t71 = t70 - sin_j5*(t21 + 0.1*t5);
    const six_real t72 = 0.09400000000000001*t6 + 0.18000000000000002*t71;
    const six_real t73 = t72 - (0.1*t25 - 0.5*t24);
    const six_real t74 = 0.25900000000000006*t5 + t69 + t73;
    const six_real t75 = t74 - (0.1*t31 - 0.5*t30);
    const six_real t76 = 0.45000000000000007*t4 + t68 + t75;
    const six_real t77 = t76 - (0.1*t39 - 0.5*t38);
    const six_real t78 = 0.6670000000000001*t3 + t67 + t77;
    const six_real t79 = t78 - (0.1*t47 - 0.5*t46);
    const six_real t80 = 0.9100000000000003*t2 + t66 + t79;
    const six_real t81 = t80 - (0.1*t55 - 0.5*t54);
    const six_real t82 = 0.1*t63 - 0.5*t62;
    h[4] = 1.1790000000000003*u[0] + t81 - t82;
    h[1] = 0.0;
    return SIX_OK;
}

int six_center_of_mass(const six_real q[SIX_RESTRICT 6], six_real c[SIX_RESTRICT 3])
{
    SIX_ALIGNED six_real turns[24];
    six_set_turns(&turns[0], q[0], q[1], q[2], q[3], q[4], q[5], 0.0, 0.0);
    six_turns(turns, 8);
    const six_real sin_j0 = turns[8];
    const six_real cos_j0 = turns[16];
    const six_real sin_j1 = turns[9];
    const six_real cos_j1 = turns[17];
    const six_real cos_j2 = turns[18];
    const six_real sin_j2 = turns[10];
    const six_real cos_j3 = turns[19];
    const six_real sin_j3 = turns[11];
    const six_real cos_j4 = turns[20];
    const six_real sin_j4 = turns[12];
    const six_real cos_j5 = turns[21];
    const six_real sin_j5 = turns[13];
    const six_real t1 = 0.51 + 0.18000000000000002*cos_j5;
    const six_real t2 = 0.06000000000000001 - 0.18000000000000002*sin_j5;
    const six_real t3 = 0.8900000000000001 + (cos_j4*t1 + sin_j4*t2);
    const six_real t4 = 0.13000000000000003 - (sin_j4*t1 - cos_j4*t2);
    const six_real t5 = 1.3200000000000003 + (cos_j3*t3 + sin_j3*t4);
    const six_real t6 = 0.21000000000000008 - (sin_j3*t3 - cos_j3*t4);
    const six_real t7 = 1.8000000000000005 + (cos_j2*t5 + sin_j2*t6);
    const six_real t8 = 0.3000000000000001 - (sin_j2*t5 - cos_j2*t6);
    const six_real t9 = 2.3300000000000005 + (cos_j1*t7 + sin_j1*t8);
    const six_real t10 = 0.40000000000000013 - (sin_j1*t7 - cos_j1*t8);
    const six_real t11 = 2.5500000000000007 + (sin_j0*t10 + cos_j0*t9);
    c[0] = 0.19607843137254896*t11;
    const six_real t13 = 0.5100000000000001 + (cos_j0*t10 - sin_j0*t9);
    c[2] = 0.19607843137254896*t13;
    c[1] = 0.09999999999999998;
    return SIX_OK;
}

int six_center_of_mass_jacobian(const six_real q[SIX_RESTRICT 6], six_real J[SIX_RESTRICT 18])
{
    SIX_ALIGNED six_real turns[24];
    six_set_turns(&turns[0], q[0], q[1], q[2], q[3], q[4], q[5], 0.0, 0.0);
    six_turns(turns, 8);
    const six_real cos_j0 = turns[16];
    const six_real sin_j0 = turns[8];
    const six_real sin_j1 = turns[9];
    const six_real cos_j1 = turns[17];
    const six_real cos_j2 = turns[18];
    const six_real sin_j2 = turns[10];
    const six_real cos_j3 = turns[19];
    const six_real sin_j3 = turns[11];
    const six_real cos_j4 = turns[20];
    const six_real sin_j4 = turns[12];
    const six_real cos_j5 = turns[21];
    const six_real sin_j5 = turns[13];
    const six_real t1 = 0.51 + 0.18000000000000002*cos_j5;
    const six_real t2 = 0.06000000000000001 - 0.18000000000000002*sin_j5;
    const six_real t3 = 0.8900000000000001 + (cos_j4*t1 + sin_j4*t2);
    const six_real t4 = 0.13000000000000003 - (sin_j4*t1 - cos_j4*t2);
    const six_real t5 = 1.3200000000000003 + (cos_j3*t3 + sin_j3*t4);
    const six_real t6 = 0.21000000000000008 - (sin_j3*t3 - cos_j3*t4);
    const six_real t7 = 1.8000000000000005 + (cos_j2*t5 + sin_j2*t6);
    const six_real t8 = 0.3000000000000001 - (sin_j2*t5 - cos_j2*t6);
    const six_real t9 = 2.3300000000000005 + (cos_j1*t7 + sin_j1*t8);
    const six_real t10 = 0.40000000000000013 - (sin_j1*t7 - cos_j1*t8);
    const six_real t11 = sin_j0*cos_j1 + cos_j0*sin_j1;
    const six_real t12 = cos_j0*cos_j1 - sin_j0*sin_j1;
    const six_real t13 = cos_j2*t11 + sin_j2*t12;
    const six_real t14 = cos_j2*t12 - sin_j2*t11;
    const six_real t15 = cos_j3*t13 + sin_j3*t14;
    const six_real t16 = cos_j3*t14 - sin_j3*t13;
    const six_real t17 = cos_j4*t15 + sin_j4*t16;
    const six_real t18 = cos_j4*t16 - sin_j4*t15;
    J[0] = 0.19607843137254896*(cos_j0*t10 - sin_j0*t9);
    J[12] = -(0.19607843137254896*(sin_j0*t10 + cos_j0*t9));
    J[1] = -(0.19607843137254896*(t7*t11 - t8*t12));
    J[13] = -(0.19607843137254896*(t7*t12 + t8*t11));
    J[2] = -(0.19607843137254896*(t5*t13 - t6*t14));
    J[14] = -(0.19607843137254896*(t5*t14 + t6*t13));
    J[3] = -(0.19607843137254896*(t3*t15 - t4*t16));
    J[15] = -(0.19607843137254896*(t3*t16 + t4*t15));
    J[4] = -(0.19607843137254896*(t1*t17 - t2*t18));
    J[16] = -(0.19607843137254896*(t1*t18 + t2*t17));
    J[5] = -(0.035294117647058816*(cos_j5*t17 + sin_j5*t18));
    J[17] = -(0.035294117647058816*(cos_j5*t18 - sin_j5*t17));
    J[6] = 0.0;
    J[7] = 0.0;
    J[8] = 0.0;
    J[9] = 0.0;
    J[10] = 0.0;
    J[11] = 0.0;
    return SIX_OK;
}

int six_coordinate_rates(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    six_real q_rate[SIX_RESTRICT 6])
{
    (void)q;
    q_rate[0] = u[0];
    q_rate[1] = u[1];
    q_rate[2] = u[2];
    q_rate[3] = u[3];
    q_rate[4] = u[4];
    q_rate[5] = u[5];
    return SIX_OK;
}

int six_integrate(
    const six_real q[SIX_RESTRICT 6],
    const six_real du[SIX_RESTRICT 6],
    six_real q_next[SIX_RESTRICT 6])
{
    q_next[0] = q[0] + du[0];
    q_next[1] = q[1] + du[1];
    q_next[2] = q[2] + du[2];
    q_next[3] = q[3] + du[3];
    q_next[4] = q[4] + du[4];
    q_next[5] = q[5] + du[5];
    return SIX_OK;
}

int six_difference(
    const six_real q0[SIX_RESTRICT 6],
    const six_real q1[SIX_RESTRICT 6],
    six_real du[SIX_RESTRICT 6])
{
    du[0] = -(q0[0] - q1[0]);
    du[1] = -(q0[1] - q1[1]);
    du[2] = -(q0[2] - q1[2]);
    du[3] = -(q0[3] - q1[3]);
    du[4] = -(q0[4] - q1[4]);
    du[5] = -(q0[5] - q1[5]);
    return SIX_OK;
}

int six_neutral(six_real q[SIX_RESTRICT 6])
{
    q[0] = 0.0;
    q[1] = 0.0;
    q[2] = 0.0;
    q[3] = 0.0;
    q[4] = 0.0;
    q[5] = 0.0;
    return SIX_OK;
}

int six_normalize(const six_real q[SIX_RESTRICT 6], six_real q_unit[SIX_RESTRICT 6])
{
    q_unit[0] = q[0];
    q_unit[1] = q[1];
    q_unit[2] = q[2];
    q_unit[3] = q[3];
    q_unit[4] = q[4];
    q_unit[5] = q[5];
    return SIX_OK;
}

/* One step from time t of the classical Runge-Kutta method of order 4. */
static int six_rk4_step(
    six_real q[SIX_RESTRICT 6],
    six_real u[SIX_RESTRICT 6],
    const six_real tau[SIX_RESTRICT 6],
    six_real t,
    six_real h)
{
    static const six_real a[4][4] = {
        {0.0, 0.0, 0.0, 0.0},
        {0.5, 0.0, 0.0, 0.0},
        {0.0, 0.5, 0.0, 0.0},
        {0.0, 0.0, 1.0, 0.0}
    };
    static const six_real b[4] = {(1.0/6.0), (1.0/3.0), (1.0/3.0), (1.0/6.0)};
    static const six_real c[4] = {0.0, 0.5, 0.5, 1.0};
    six_real q_rate[4][6];
    six_real u_rate[4][6];
    six_real q_stage[6];
    six_real u_stage[6];
    for (int i = 0; i < 4; i++) {
        const six_real t_stage = t + c[i]*h;
        int status;
        for (int k = 0; k < 6; k++) {
            six_real sum = 0.0;
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*q_rate[j][k];
            }
            q_stage[k] = q[k] + h*sum;
        }
        for (int k = 0; k < 6; k++) {
            six_real sum = 0.0;
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*u_rate[j][k];
            }
            u_stage[k] = u[k] + h*sum;
        }
        (void)t_stage;
        status = six_coordinate_rates(q_stage, u_stage, q_rate[i]);
        if (status == SIX_OK) {
            status = six_forward_dynamics(q_stage, u_stage, tau, u_rate[i]);
        }
        if (status != SIX_OK) {
            return status;
        }
    }
    for (int k = 0; k < 6; k++) {
        six_real sum = 0.0;
        for (int i = 0; i < 4; i++) {
            sum += b[i]*q_rate[i][k];
        }
        q_stage[k] = q[k] + h*sum;
    }
    {
        const int failure = six_normalize(q_stage, q_rate[0]);
        if (failure != SIX_OK) {
            return failure;
        }
        for (int k = 0; k < 6; k++) {
            q_stage[k] = q_rate[0][k];
        }
    }
    for (int k = 0; k < 6; k++) {
        q[k] = q_stage[k];
    }
    for (int k = 0; k < 6; k++) {
        six_real sum = 0.0;
        for (int i = 0; i < 4; i++) {
            sum += b[i]*u_rate[i][k];
        }
        u[k] += h*sum;
    }
    return SIX_OK;
}

int six_rk4(
    six_real q[SIX_RESTRICT 6],
    six_real u[SIX_RESTRICT 6],
    const six_real tau[SIX_RESTRICT 6],
    six_real h,
    int steps)
{
    for (int step = 0; step < steps; step++) {
        const six_real time = (six_real)step*h;
        const int status = six_rk4_step(q, u, tau, time, h);
        if (status != SIX_OK) {
            return status;
        }
    }
    return SIX_OK;
}

int six_rk4_trajectory(
    six_real q[SIX_RESTRICT],
    six_real u[SIX_RESTRICT],
    const six_real tau[SIX_RESTRICT],
    six_real h,
    int steps,
    int per_step,
    int *done)
{
    *done = 0;
    for (int step = 0; step < steps; step++) {
        const size_t next = (size_t)step + 1u;
        const size_t row = (per_step != 0) ? (size_t)step : 0u;
        const six_real time = (six_real)step*h;
        six_real *q_next = &q[next*6u];
        six_real *u_next = &u[next*6u];
        int status;
        for (int k = 0; k < 6; k++) {
            q_next[k] = q_next[k - 6];
        }
        for (int k = 0; k < 6; k++) {
            u_next[k] = u_next[k - 6];
        }
        (void)row;
        status = six_rk4_step(q_next, u_next, &tau[row*6u], time, h);
        if (status != SIX_OK) {
            return status;
        }
        *done = step + 1;
    }
    return SIX_OK;
}

/* Rates of y = [q; u] at time t. */
static int six_dopri_rates(
    const six_real y[SIX_RESTRICT 12],
    const six_real tau[SIX_RESTRICT 6],
    six_real t,
    six_real y_rate[SIX_RESTRICT 12])
{
    int status = six_coordinate_rates(y, &y[6], y_rate);
    (void)t;
    if (status == SIX_OK) {
        status = six_forward_dynamics(y, &y[6], tau, &y_rate[6]);
    }
    return status;
}

/* The root mean square of x over the tolerance at y. */
static six_real six_dopri_norm(
    const six_real x[12],
    const six_real y[12],
    six_real rtol,
    six_real atol)
{
    six_real sum = 0.0;
    for (int k = 0; k < 12; k++) {
        const six_real ratio = x[k]/(atol + rtol*fabs(y[k]));
        sum += ratio*ratio;
    }
    return sqrt(sum/12.0);
}

/*
 * The length of a first step, at most span: Hairer, Norsett and Wanner, Solving Ordinary
 * Differential Equations I, section II.4.
 */
static six_real six_dopri_first(
    const six_real y[SIX_RESTRICT 12],
    const six_real y_rate[SIX_RESTRICT 12],
    const six_real tau[SIX_RESTRICT 6],
    six_real t,
    six_real span,
    six_real rtol,
    six_real atol)
{
    const six_real size = six_dopri_norm(y, y, rtol, atol);
    const six_real speed = six_dopri_norm(y_rate, y, rtol, atol);
    six_real y_stage[12];
    six_real difference[12];
    six_real bend;
    six_real h = 1e-6;
    six_real h_bend;
    if (size >= 1e-5 && speed >= 1e-5) {
        h = 0.01*size/speed;
    }
    h = fmin(h, span);
    for (int k = 0; k < 12; k++) {
        y_stage[k] = y[k] + h*y_rate[k];
    }
    if (six_dopri_rates(y_stage, tau, t + h, difference) != SIX_OK) {
        return h;
    }
    for (int k = 0; k < 12; k++) {
        difference[k] -= y_rate[k];
    }
    bend = fmax(six_dopri_norm(difference, y, rtol, atol)/h, speed);
    if (bend <= 1e-15) {
        h_bend = fmax(1e-6, h*1e-3);
    } else {
        h_bend = pow(0.01/bend, 0.2);
    }
    return fmin(fmin(100.0*h, h_bend), span);
}

/*
 * A trial of a step of length h from y, where the rates are y_rate[0]: the state at its end, the
 * rates of its other stages, and the error over the tolerance.
 */
static int six_dopri_try(
    const six_real y[SIX_RESTRICT 12],
    const six_real tau[SIX_RESTRICT 6],
    six_real t,
    six_real h,
    six_real rtol,
    six_real atol,
    six_real y_rate[SIX_RESTRICT 7][12],
    six_real y_next[SIX_RESTRICT 12],
    six_real *error)
{
    static const six_real a[7][7] = {
        {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
        {0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
        {0.075, 0.225, 0.0, 0.0, 0.0, 0.0, 0.0},
        {(44.0/45.0), (-56.0/15.0), (32.0/9.0), 0.0, 0.0, 0.0, 0.0},
        {(19372.0/6561.0), (-25360.0/2187.0), (64448.0/6561.0), (-212.0/729.0), 0.0, 0.0, 0.0},
        {(9017.0/3168.0), (-355.0/33.0), (46732.0/5247.0), (49.0/176.0), (-5103.0/18656.0), 0.0, 0.0},
        {(35.0/384.0), 0.0, (500.0/1113.0), (125.0/192.0), (-2187.0/6784.0), (11.0/84.0), 0.0}
    };
    static const six_real c[7] = {0.0, 0.2, 0.3, 0.8, (8.0/9.0), 1.0, 1.0};
    static const six_real e[7] = {(71.0/57600.0), 0.0, (-71.0/16695.0), (71.0/1920.0), (-17253.0/339200.0), (22.0/525.0), -0.025};
    six_real estimate[12];
    six_real magnitude[12];
    for (int i = 1; i < 7; i++) {
        int status;
        for (int k = 0; k < 12; k++) {
            six_real sum = 0.0;
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*y_rate[j][k];
            }
            y_next[k] = y[k] + h*sum;
        }
        if (i == 6) {
            {
                const int failure = six_normalize(y_next, estimate);
                if (failure != SIX_OK) {
                    return failure;
                }
                for (int k = 0; k < 6; k++) {
                    y_next[k] = estimate[k];
                }
            }
        }
        status = six_dopri_rates(y_next, tau, t + c[i]*h, y_rate[i]);
        if (status != SIX_OK) {
            return status;
        }
    }
    for (int k = 0; k < 12; k++) {
        six_real sum = 0.0;
        for (int i = 0; i < 7; i++) {
            sum += e[i]*y_rate[i][k];
        }
        estimate[k] = h*sum;
        magnitude[k] = fmax(fabs(y[k]), fabs(y_next[k]));
    }
    *error = six_dopri_norm(estimate, magnitude, rtol, atol);
    return SIX_OK;
}

/*
 * The longest step from time t, not beyond the end, that the tolerances allow; run counts and
 * proposes the next one, *h is its length.
 */
static int six_dopri_advance(
    const six_real y[SIX_RESTRICT 12],
    const six_real tau[SIX_RESTRICT 6],
    six_real t,
    six_real end,
    six_real rtol,
    six_real atol,
    int max_steps,
    six_real y_rate[SIX_RESTRICT 7][12],
    six_real y_next[SIX_RESTRICT 12],
    six_adaptive_run *run,
    six_real *h)
{
    const six_real shortest = (5.0/4503599627370496.0)*fmax(fabs(t), fabs(end));
    six_real longest_growth = 10.0;
    int status = SIX_STEP_UNDERFLOW;
    for (;;) {
        const bool is_last = !(t + run->h < end);
        const six_real t_next = is_last ? end : t + run->h;
        six_real error = 0.0;
        *h = is_last ? end - t : run->h;
        if (!(t_next > t) || (!is_last && *h < shortest)) {
            return status;
        }
        if (run->steps + run->rejected >= max_steps) {
            return SIX_TOO_MANY_STEPS;
        }
        status = six_dopri_try(y, tau, t, *h, rtol, atol, y_rate, y_next, &error);
        if (status == SIX_OK && error <= 1.0) {
            six_real growth = longest_growth;
            if (error > 0.0) {
                growth = fmin(growth, 0.9*pow(error, -0.2));
            }
            run->h = is_last ? fmax(run->h, *h*growth) : *h*growth;
            run->time = t_next;
            run->steps++;
            return SIX_OK;
        }
        /* Rates that fail or are not finite say nothing of the error. */
        run->h = *h*0.2;
        if (status == SIX_OK) {
            status = SIX_STEP_UNDERFLOW;
            if (error > 1.0) {
                run->h = *h*fmax(0.2, 0.9*pow(error, -0.2));
            }
        }
        run->rejected++;
        longest_growth = 1.0;
    }
}

/* The state at the fraction x of a step from y. */
static int six_dopri_record(
    const six_real y[SIX_RESTRICT 12],
    six_real y_rate[SIX_RESTRICT 7][12],
    six_real h,
    six_real x,
    six_real q[SIX_RESTRICT 6],
    six_real u[SIX_RESTRICT 6])
{
    static const six_real interpolant[7][4] = {
        {1.0, (-8048581381.0/2820520608.0), (8663915743.0/2820520608.0), (-12715105075.0/11282082432.0)},
        {0.0, 0.0, 0.0, 0.0},
        {0.0, (131558114200.0/32700410799.0), (-68118460800.0/10900136933.0), (87487479700.0/32700410799.0)},
        {0.0, (-1754552775.0/470086768.0), (14199869525.0/1410260304.0), (-10690763975.0/1880347072.0)},
        {0.0, (127303824393.0/49829197408.0), (-318862633887.0/49829197408.0), (701980252875.0/199316789632.0)},
        {0.0, (-282668133.0/205662961.0), (2019193451.0/616988883.0), (-1453857185.0/822651844.0)},
        {0.0, (40617522.0/29380423.0), (-110615467.0/29380423.0), (69997945.0/29380423.0)}
    };
    six_real y_next[12];
    six_real b[7];
    for (int i = 0; i < 7; i++) {
        b[i] = 0.0;
        for (int j = 4; j > 0; j--) {
            b[i] = x*(interpolant[i][j - 1] + b[i]);
        }
    }
    for (int k = 0; k < 12; k++) {
        six_real sum = 0.0;
        for (int i = 0; i < 7; i++) {
            sum += b[i]*y_rate[i][k];
        }
        y_next[k] = y[k] + h*sum;
    }
    {
        const int failure = six_normalize(y_next, q);
        if (failure != SIX_OK) {
            return failure;
        }
        for (int k = 0; k < 6; k++) {
            y_next[k] = q[k];
        }
    }
    for (int k = 0; k < 6; k++) {
        q[k] = y_next[k];
    }
    for (int k = 0; k < 6; k++) {
        u[k] = y_next[6 + k];
    }
    return SIX_OK;
}

int six_dopri(
    six_real q[SIX_RESTRICT],
    six_real u[SIX_RESTRICT],
    const six_real tau[SIX_RESTRICT 6],
    const six_real times[SIX_RESTRICT],
    int rows,
    six_real rtol,
    six_real atol,
    int max_steps,
    six_adaptive_run *run)
{
    const six_real relative = fmax(rtol, (25.0/1125899906842624.0));
    six_real y_rate[7][12];
    six_real y[12];
    six_real y_next[12];
    int status;
    run->time = times[0];
    run->done = 0;
    run->steps = 0;
    run->rejected = 0;
    for (int k = 0; k < 6; k++) {
        y[k] = q[k];
    }
    for (int k = 0; k < 6; k++) {
        y[6 + k] = u[k];
    }
    status = six_dopri_rates(y, tau, run->time, y_rate[0]);
    if (status == SIX_OK && rows > 1 && !(run->h > 0.0)) {
        run->h = six_dopri_first(
            y, y_rate[0], tau, run->time, times[rows - 1] - run->time, relative, atol);
    }
    while (status == SIX_OK && run->done + 1 < rows) {
        const six_real t = run->time;
        six_real h = 0.0;
        status = six_dopri_advance(
            y, tau, t, times[rows - 1], relative, atol, max_steps, y_rate, y_next, run, &h);
        while (status == SIX_OK && run->done + 1 < rows && times[run->done + 1] <= run->time) {
            const size_t row = (size_t)run->done + 1u;
            status = six_dopri_record(
                y, y_rate, h, (times[row] - t)/h, &q[row*6u], &u[row*6u]);
            if (status == SIX_OK) {
                run->done++;
            }
        }
        if (status == SIX_OK) {
            for (int k = 0; k < 12; k++) {
                y[k] = y_next[k];
                y_rate[0][k] = y_rate[7 - 1][k];
            }
        }
    }
    return status;
}
