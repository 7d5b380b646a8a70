/* Tasks: what they take along, what they wait for. */
#include <omp.h>
#include <stdio.h>

struct node { int value; struct node *left, *right; };

static int sum(const struct node *tree) {
  int left = 0, right = 0;
  if (tree == NULL) return 0;
#pragma omp task shared(left) if (tree->value > 3)
  left = sum(tree->left);
#pragma omp task shared(right) final(tree->value > 5) untied
  right = sum(tree->right);
#pragma omp taskwait
  return left + right + tree->value;
}

/* These run when the region's body is done; what they read of it is a variable that nobody changes. */
static int late(int *array) {
  int result = 0, step = 3;
  array++, step++;
#pragma omp parallel num_threads(3)
  {
    int number = omp_get_thread_num();
    for (int i = 0; i < 5; i++) {
#pragma omp task shared(array, step)
      {
        array[number * 5 + i] += step;
#pragma omp task shared(array, step) if (i > 2)
        array[20 + number * 5 + i] += step + i;
      }
    }
  }
  for (int i = 0; i < 40; i++) result += array[i] * i;
  return result;
}

/* Places are sections, with or without a beginning, and their colons are not those of conditions. */
static int chain(int n, int size, int *array) {
#pragma omp parallel if (parallel : n > 3 ? 1 : 0) num_threads(size > 2 ? 3 : 2)
#pragma omp single
  for (int i = 0; i < n; i += size) {
#pragma omp task depend(inout : array[:size]) depend(in : array[i ? i - size : 0 : size > 1 ? 2 : 1])
    array[0] = array[0] * 3 + i;
  }
#pragma omp parallel for reduction(+ : array[size > 1 ? 1 : 2 : n ? 2 : 1])
  for (int i = 0; i < n; i++) array[1 + i % 2] += i;
  return array[0] * 10000 + array[1] * 100 + array[2];
}

/* Tasks that any thread may go on with, and that wait for others of their kind. */
static void sort(int *from, int *to) {
  if (to - from < 2) return;
  int middle = from[(to - from) / 2], *low = from, *high = to - 1;
  while (low <= high) {
    while (*low < middle) low++;
    while (*high > middle) high--;
    if (low <= high) {
      int other = *low;
      *low++ = *high;
      *high-- = other;
    }
  }
#pragma omp task if (to - from > 20) untied
  sort(from, high + 1);
#pragma omp task mergeable
  sort(low, to);
#pragma omp taskwait
}

int main(void) {
  struct node nodes[9];
  for (int i = 0; i < 9; i++)
    nodes[i] = (struct node){i + 1, 2 * i + 1 < 9 ? &nodes[2 * i + 1] : NULL,
                             2 * i + 2 < 9 ? &nodes[2 * i + 2] : NULL};
  int result = 0, squares[20] = {0}, group = 0, early = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    result = sum(&nodes[0]);
#pragma omp single
    {
      int base = 5, pair[2] = {1, 2};
      struct node copy = nodes[3];
      for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i) shared(squares)
        squares[i] = i * i + base + pair[1] + copy.value;
#pragma omp taskyield
      }
      base = 1000;
      pair[1] = 1000;
      copy.value = 1000;
#pragma omp taskwait
#pragma omp taskgroup
      {
#pragma omp task shared(group)
        {
#pragma omp task shared(group)
          {
#pragma omp atomic
            group += 5;
          }
        }
      }
      early = group;
    }
  }
  printf("%d", result);
  for (int i = 0; i < 20; i++) printf(" %d", squares[i]);
  printf("\n%d %d\n", group, early);
#pragma omp task shared(result)
  result++;
  printf("%d\n", result);
  int array[41] = {0};
  printf("%d\n", late(array));
  int places[3] = {1, 2, 3};
  printf("%d\n", chain(8, 2, places));
  int values[200], wrong = 0;
  for (int i = 0; i < 200; i++) values[i] = i * 7919 % 211;
#pragma omp parallel
#pragma omp single
  sort(values, values + 200);
  for (int i = 1; i < 200; i++) wrong += values[i - 1] > values[i];
  printf("%d out of order\n", wrong);
  return 0;
}
