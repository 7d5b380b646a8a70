/* Calls of C functions from Python without a line of Python: the numbers and arrays of a call are
   looked at here, and where each is just what the function takes, it is called.

   Whatever is not, is none of our business: the answer is NotImplemented, nothing has happened, and
   `backend/called/bind.py` looks at the arguments again, converts what can be converted, and knows the words
   for what cannot. So every check stands there, too; here it may only be stricter.

   What a function takes is a plan, an array of words that `backend/called/quick_calls.py` writes. Only what
   CPython promises to keep (its stable ABI from 3.11 on) is used. */

#define MOST_ARGUMENTS 24
#define MOST_RANK 8
#define MOST_ON_STACK 24
#define DEPTH 16
#define INTEGER_REGISTERS 6
#define REAL_REGISTERS 8

typedef struct PyObject PyObject;
typedef struct {
  char *buf;
  PyObject *obj;
  long len, itemsize;
  int readonly, ndim;
  char *format;
  long *shape, *strides, *suboffsets;
  void *internal;
} Py_buffer;

enum { PyBUF_WRITABLE = 1, PyBUF_FORMAT = 4, PyBUF_C_CONTIGUOUS = 0x38 };

long long PyLong_AsLongLongAndOverflow(PyObject *, int *);
unsigned long long PyLong_AsUnsignedLongLong(PyObject *);
double PyFloat_AsDouble(PyObject *);
int PyObject_IsTrue(PyObject *);
int PyObject_GetBuffer(PyObject *, Py_buffer *, int);
void PyBuffer_Release(Py_buffer *);
PyObject *PyErr_Occurred(void);
void PyErr_Clear(void);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
PyObject *PyLong_FromLongLong(long long);
PyObject *PyLong_FromUnsignedLongLong(unsigned long long);
PyObject *PyLong_FromVoidPtr(void *);
PyObject *PyFloat_FromDouble(double);
PyObject *PyBool_FromLong(long);
char *PyBytes_AsString(PyObject *);
void Py_IncRef(PyObject *);
int fflush(void *);

enum { VOID, SIGNED, UNSIGNED, DOUBLE, FLOAT, TRUTH, POINTER, MEMORY };
enum { IS_CONST = 1, IS_NULLABLE = 2, HAS_SHAPE = 4, ANY_ELEMENT = 8 };

typedef struct {
  long kind;
  long least, most;       /* of integers; of 64 bits without sign: 0 and -1 */
  long formats[2];        /* of memory: the letters of its element in the buffer protocol */
  long size;              /* of an element */
  long flags;
  long rank;              /* how many extents are declared */
  long extents[MOST_RANK]; /* where the program of each stands in the plan; 0: any size */
  long passed;            /* bits: which extents go behind the pointer */
} Argument;

typedef struct {
  void *function;
  long result, width; /* the bytes of an integer */
  PyObject *none, *refusal;
  long flushes;         /* whether C's buffers are emptied behind a call */
  long count, on_stack; /* how many words have no register */
  Argument arguments[];
} Plan;

/* The programs of extents: operations on a stack. NUMBER and NAME have an operand. */
enum { END, NUMBER, NAME, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, NEGATE };

typedef union {
  long word;
  double real;
  float narrow;
} Word;

typedef struct {
  long integers[INTEGER_REGISTERS], stack[MOST_ON_STACK];
  double reals[REAL_REGISTERS];
  long integer_count, real_count, stack_count;
} Passed;

#define REGISTERS                                                                                    \
  long, long, long, long, long, long, double, double, double, double, double, double, double, double
#define IN_REGISTERS                                                                                 \
  p->integers[0], p->integers[1], p->integers[2], p->integers[3], p->integers[4], p->integers[5],    \
      p->reals[0], p->reals[1], p->reals[2], p->reals[3], p->reals[4], p->reals[5], p->reals[6],     \
      p->reals[7]
#define EIGHT long, long, long, long, long, long, long, long
#define EIGHT_FROM(k)                                                                                \
  p->stack[k], p->stack[k + 1], p->stack[k + 2], p->stack[k + 3], p->stack[k + 4], p->stack[k + 5],  \
      p->stack[k + 6], p->stack[k + 7]

/* The System V ABI passes integers and reals each in registers of their own, and the rest in words
   on the stack: a function does not see whether more has been passed than it takes. */
static long integer_of(const Plan *plan, Passed *p) {
  if (plan->on_stack == 0) return ((long (*)(REGISTERS))plan->function)(IN_REGISTERS);
  if (plan->on_stack <= 8)
    return ((long (*)(REGISTERS, EIGHT))plan->function)(IN_REGISTERS, EIGHT_FROM(0));
  return ((long (*)(REGISTERS, EIGHT, EIGHT, EIGHT))plan->function)(IN_REGISTERS, EIGHT_FROM(0),
                                                              EIGHT_FROM(8), EIGHT_FROM(16));
}

static double real_of(const Plan *plan, Passed *p) {
  if (plan->on_stack == 0) return ((double (*)(REGISTERS))plan->function)(IN_REGISTERS);
  if (plan->on_stack <= 8)
    return ((double (*)(REGISTERS, EIGHT))plan->function)(IN_REGISTERS, EIGHT_FROM(0));
  return ((double (*)(REGISTERS, EIGHT, EIGHT, EIGHT))plan->function)(IN_REGISTERS, EIGHT_FROM(0),
                                                                EIGHT_FROM(8), EIGHT_FROM(16));
}

static void pass_integer(Passed *p, long value) {
  if (p->integer_count < INTEGER_REGISTERS) p->integers[p->integer_count++] = value;
  else p->stack[p->stack_count++] = value;
}

static void pass_real(Passed *p, Word value) {
  if (p->real_count < REAL_REGISTERS) p->reals[p->real_count++] = value.real;
  else p->stack[p->stack_count++] = value.word;
}

static int failed(void) {
  if (!PyErr_Occurred()) return 0;
  PyErr_Clear();
  return 1;
}

/* Whether the value is a number that the argument takes: *word holds it as it is passed. */
static int number(const Argument *argument, PyObject *value, Word *word) {
  if (argument->kind == SIGNED || argument->kind == UNSIGNED) {
    int overflow = 0;
    long found = PyLong_AsLongLongAndOverflow(value, &overflow);
    word->word = found;
    if (found == -1 && overflow == 0 && failed()) return 0;
    if (argument->kind == UNSIGNED && argument->most == -1) {
      if (overflow < 0 || (overflow == 0 && found < 0)) return 0;
      if (overflow == 0) return 1;
      word->word = PyLong_AsUnsignedLongLong(value);
      return !(word->word == -1 && failed());
    }
    return overflow == 0 && found >= argument->least && found <= argument->most;
  }
  if (argument->kind == TRUTH) {
    word->word = PyObject_IsTrue(value);
    if (word->word < 0) PyErr_Clear();
    return word->word >= 0;
  }
  double found = PyFloat_AsDouble(value);
  if (found == -1.0 && failed()) return 0;
  word->word = 0;
  if (argument->kind == FLOAT) word->narrow = found;
  else word->real = found;
  return 1;
}

#define SMALL(x) ((x) < 0x40000000 && (x) > -0x40000000)
#define MIDDLING(x) ((x) < 0x2000000000000000 && (x) > -0x2000000000000000)

/* The value of an extent; -1 where it cannot be told for sure. */
static long extent_of(const long *program, const Word *values) {
  long stack[DEPTH];
  long height = 0;
  for (;;) {
    long operation = *program++;
    if (operation == END) return height == 1 && stack[0] >= 0 ? stack[0] : -1;
    if (operation == NUMBER || operation == NAME) {
      long operand = *program++;
      if (height == DEPTH) return -1;
      stack[height++] = operation == NUMBER ? operand : values[operand].word;
      continue;
    }
    if (operation == NEGATE) {
      if (!MIDDLING(stack[height - 1])) return -1;
      stack[height - 1] = -stack[height - 1];
      continue;
    }
    long right = stack[--height], left = stack[height - 1];
    if (!MIDDLING(left) || !MIDDLING(right)) return -1;
    if (operation == MULTIPLY) {
      if (!SMALL(left) || !SMALL(right)) return -1;
      left *= right;
    } else if (operation == ADD) left += right;
    else if (operation == SUBTRACT) left -= right;
    else if (right == 0) return -1;
    else if (operation == DIVIDE) left /= right;
    else left %= right;
    stack[height - 1] = left;
  }
}

static int has_shape(const Plan *plan, const Argument *argument, const Py_buffer *view,
                     const Word *values) {
  if (view->ndim != argument->rank) return 0;
  for (long d = 0; d < argument->rank; d++) {
    long program = argument->extents[d];
    if (program && extent_of((const long *)plan + program, values) != view->shape[d]) return 0;
  }
  return 1;
}

static int has_element(const Argument *argument, const Py_buffer *view) {
  long size = view->itemsize;
  if (argument->flags & ANY_ELEMENT) {
    if (size != 1 && size != 2 && size != 4 && size != 8) return 0;
  } else {
    const char *format = view->format ? view->format : "B";
    if (format[0] != argument->formats[0] && format[0] != argument->formats[1]) return 0;
    if (format[1] != 0 || size != argument->size) return 0;
  }
  return ((long)view->buf & (size - 1)) == 0;
}

/* Whether the memory of the value may be handed to the function; then it is held until released. */
static int memory(const Plan *plan, const Argument *argument, PyObject *value, Py_buffer *view,
                  const Word *values) {
  int wanted = PyBUF_FORMAT | PyBUF_C_CONTIGUOUS;
  if (!(argument->flags & IS_CONST)) wanted |= PyBUF_WRITABLE;
  if (PyObject_GetBuffer(value, view, wanted) != 0) {
    PyErr_Clear();
    return 0;
  }
  if (has_element(argument, view) &&
      (!(argument->flags & HAS_SHAPE) || has_shape(plan, argument, view, values)))
    return 1;
  PyBuffer_Release(view);
  return 0;
}

static PyObject *answer(const Plan *plan, Passed *passed) {
  void *state = PyEval_SaveThread();
  Word result;
  if (plan->result == DOUBLE || plan->result == FLOAT)
    result.real = real_of(plan, passed);
  else
    result.word = integer_of(plan, passed);
  if (plan->flushes) fflush(0);
  PyEval_RestoreThread(state);
  int unused = 64 - 8 * (int)plan->width;
  switch (plan->result) {
  case SIGNED: return PyLong_FromLongLong((result.word << unused) >> unused);
  case UNSIGNED: return PyLong_FromUnsignedLongLong((unsigned long)result.word << unused >> unused);
  case DOUBLE: return PyFloat_FromDouble(result.real);
  case FLOAT: return PyFloat_FromDouble(result.narrow);
  case TRUTH: return PyBool_FromLong(result.word & 0xff);
  case POINTER:
    if (result.word) return PyLong_FromVoidPtr((void *)result.word);
  }
  Py_IncRef(plan->none);
  return plan->none;
}

/* A function of Python, whose `self` is the plan as bytes. */
PyObject *polyopt_call(PyObject *self, PyObject *const *arguments, long count) {
  const Plan *plan = (const Plan *)PyBytes_AsString(self);
  Word values[MOST_ARGUMENTS];
  Py_buffer views[MOST_ARGUMENTS];
  int is_held[MOST_ARGUMENTS];
  int fits = count == plan->count;
  for (long k = 0; fits && k < count; k++)
    if (plan->arguments[k].kind != MEMORY)
      fits = number(&plan->arguments[k], arguments[k], &values[k]);
  long tried = 0;
  for (; fits && tried < count; tried++) {
    const Argument *argument = &plan->arguments[tried];
    is_held[tried] = 0;
    if (argument->kind != MEMORY) continue;
    if (arguments[tried] == plan->none && argument->flags & IS_NULLABLE) continue;
    fits = is_held[tried] =
        memory(plan, argument, arguments[tried], &views[tried], values);
  }
  PyObject *result = plan->refusal;
  if (fits) {
    Passed passed;
    passed.integer_count = passed.real_count = passed.stack_count = 0;
    for (long k = 0; k < count; k++) {
      const Argument *argument = &plan->arguments[k];
      if (argument->kind == DOUBLE || argument->kind == FLOAT) pass_real(&passed, values[k]);
      else if (argument->kind != MEMORY) pass_integer(&passed, values[k].word);
      else {
        pass_integer(&passed, is_held[k] ? (long)views[k].buf : 0);
        for (long d = 0; argument->passed >> d; d++)
          if (argument->passed >> d & 1) pass_integer(&passed, views[k].shape[d]);
      }
    }
    result = answer(plan, &passed);
  } else
    Py_IncRef(result);
  for (long k = 0; k < tried; k++)
    if (is_held[k]) PyBuffer_Release(&views[k]);
  return result;
}
