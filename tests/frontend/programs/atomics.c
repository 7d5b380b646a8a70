/* Atomic objects, <stdatomic.h>, and GNU C's functions on any object. */
#include <stdatomic.h>
#include <stdio.h>

#define SHOW(x) printf("%ld\n", (long)(x))
#define TRUTH(x) ((x) ? "yes" : "no")

static _Atomic int counter = 5;
static atomic_flag flag = ATOMIC_FLAG_INIT;
struct node { int value; struct node *_Atomic next; };

static int calls;
static int once(int x) { calls++; return x; }

static void objects(void) {
    _Atomic(unsigned char) small = 250;
    _Atomic long wide = 1L << 40;
    _Atomic _Bool truth = 0;
    _Atomic double real = 1.5;
    _Atomic short row[3] = {1, 2, 3};
    int numbers[4] = {10, 20, 30, 40};
    int *_Atomic at = numbers;
    SHOW(counter++);
    SHOW(counter);
    SHOW(++counter);
    SHOW(counter--);
    SHOW(counter += once(7));
    SHOW(counter -= 2);
    SHOW(counter &= 12);
    SHOW(counter |= 3);
    SHOW(counter ^= 1);
    SHOW(counter *= 5);
    SHOW(counter /= 2);
    SHOW(counter %= 11);
    SHOW(counter <<= 3);
    SHOW(counter >>= 1);
    SHOW(small += 10);
    SHOW(small--);
    SHOW(small * 2);
    SHOW(wide -= 1);
    SHOW(wide);
    truth = 42;
    SHOW(truth);
    SHOW(!truth);
    real = real * 2;
    printf("%g\n", real);
    row[1] += row[2];
    SHOW(row[1]++);
    SHOW(row[1] = 70000 % 65536);
    at++;
    at += 2;
    SHOW(*at);
    SHOW((int)(at - numbers));
    SHOW(*--at);
    SHOW(sizeof(small));
    SHOW(sizeof(row));
    SHOW(sizeof(at));
    printf("%s\n", _Generic(counter, int: "int", default: "other"));
}

static void library(void) {
    atomic_int x;
    atomic_init(&x, 3);
    int expected = 4, numbers[3] = {1, 2, 3};
    SHOW(atomic_fetch_add(&x, 5));
    SHOW(atomic_load(&x));
    SHOW(atomic_compare_exchange_strong(&x, &expected, 9));
    SHOW(expected);
    SHOW(atomic_compare_exchange_strong(&x, &expected, 9));
    SHOW(x);
    SHOW(atomic_exchange_explicit(&x, 6, memory_order_acq_rel));
    SHOW(x);
    SHOW(atomic_fetch_or(&x, 8));
    SHOW(atomic_fetch_and(&x, 10));
    SHOW(atomic_fetch_xor(&x, 3));
    atomic_store_explicit(&x, 17, memory_order_release);
    SHOW(atomic_load_explicit(&x, memory_order_acquire));
    SHOW(atomic_fetch_sub(&x, 1));
    SHOW(atomic_flag_test_and_set(&flag));
    SHOW(atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%s\n", TRUTH(atomic_flag_test_and_set_explicit(&flag, memory_order_relaxed)));
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    printf("%s %s\n", TRUTH(atomic_is_lock_free(&x)), TRUTH(numbers[0]));
    struct node second = {2, 0}, first = {1, 0};
    first.next = &second;
    struct node *seen = &first;
    printf("%s", TRUTH(atomic_compare_exchange_strong(&first.next, &seen, &first)));
    printf(" %d\n", seen->value);
    do ; while (!atomic_compare_exchange_weak(&first.next, &seen, &first));
    printf("%d\n", first.next->value);
}

static void functions(void) {
    int x = 5, old, new = 8;
    unsigned char byte = 0xf0;
    long wide = 100;
    double real = 2.5, other = 0.5, swapped;
    char *text = "abc";
    SHOW(__atomic_add_fetch(&x, 3, __ATOMIC_SEQ_CST));
    SHOW(__atomic_fetch_nand(&x, 12, 0));
    __atomic_load(&x, &old, __ATOMIC_ACQUIRE);
    __atomic_store(&x, &new, __ATOMIC_RELEASE);
    SHOW(old);
    SHOW(x);
    __atomic_exchange(&real, &other, &swapped, __ATOMIC_SEQ_CST);
    printf("%g %g\n", real, swapped);
    old = 8, new = 1;
    printf("%d ", __atomic_compare_exchange(&x, &old, &new, 0, 5, 5));
    printf("%d\n", x);
    SHOW(__sync_fetch_and_add(&wide, 11));
    SHOW(__sync_sub_and_fetch(&wide, 1));
    SHOW(__atomic_nand_fetch(&byte, 0x3c, __ATOMIC_SEQ_CST));
    SHOW(byte);
    SHOW(__sync_bool_compare_and_swap(&x, once(1), 7));
    SHOW(__sync_val_compare_and_swap(&x, 7, 9));
    printf("%d\n", __sync_lock_test_and_set(&x, 4));
    __sync_lock_release(&x);
    __sync_synchronize();
    SHOW(x);
    SHOW(calls);
    printf("%s\n", __atomic_add_fetch(&text, 1, __ATOMIC_RELAXED));
    _Bool set = 0;
    SHOW(__atomic_test_and_set(&set, __ATOMIC_ACQUIRE));
    SHOW(set);
    __atomic_clear(&set, __ATOMIC_RELEASE);
    SHOW(set);
    SHOW(__atomic_always_lock_free(4, 0));
}

/* Operations on other types than the object's: the value is computed there, and converted back. */
static void conversions(void) {
    _Atomic short narrow = 0x4001;
    SHOW(narrow <<= 1);
    SHOW(narrow <<= calls);
    _Atomic int whole = 7;
    SHOW(whole /= 2u);
    SHOW(whole %= -2ll);
    _Atomic long long wide = -5;
    SHOW(wide /= 2);
    SHOW(wide %= 3u);
    _Atomic unsigned char byte = 250;
    SHOW(byte /= -3);
    SHOW(byte >>= 1);
    _Atomic _Bool truth = 0;
    SHOW(truth++);
    SHOW(++truth);
    SHOW(truth--);
    SHOW(truth += 5);
    SHOW(truth ^= 1);
    SHOW(truth |= 0.5 > 0);
    SHOW(calls);
}

int main(void) {
    objects();
    library();
    functions();
    conversions();
}
