// A loop whose schedule counts in steps of two, figure 8 of Berlin, Edelsohn, Pop (GCC Summit 2004):
// it counts by one again, with nothing left of the factor, or in the steps if that is asked for, from
// either engine.
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-schedule{scheduler=matrix matrix="1,0;0,2"},poly-to-affine' | filecheck %s --check-prefix=ONE
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-schedule{scheduler=matrix matrix="1,0;0,2"},poly-to-affine{scale-strides=false}' | filecheck %s --check-prefix=TWO
// RUN: polyopt-cc -O2 --emit=poly -o - %s | polyopt-opt -p 'poly-schedule{scheduler=matrix matrix="1,0;0,2"},poly-to-affine{engine=scan}' | filecheck %s --check-prefix=TWO

void f(double A[200][200], double B[200][200])
{
    for (int u = 1; u < 100; u++)
        for (int v = 1; v < 100; v++)
            A[u][v] = B[u][v] + 1.0;
}

// ONE:      affine.for %u{{.*}} = 1 to 100 {
// ONE-NEXT:   affine.for %v{{.*}} = 1 to 100 {

// TWO:      affine.for %u{{.*}} = 1 to 100 {
// TWO-NEXT:   affine.for %c1{{.*}} = 2 to 199 step 2 {
// TWO-NEXT:     affine.load %B{{[_0-9]*}}[%u{{[_0-9]*}}, %c1{{[_0-9]*}} floordiv 2]
