# A toolchain file for CMake: cmake --toolchain docs/cmake/polyopt.cmake …
# CC=polyopt-cc cmake … does without it: CMake takes polyopt-cc for GCC, whose options it takes. With it, sources that
# ask for __GNUC__ find it, too: those say their attributes, visibility among them, nowhere else. CFLAGS=-fgnuc-version=12.2.0
# does the same.
set(CMAKE_C_COMPILER polyopt-cc)
set(CMAKE_C_COMPILER_ID GNU)
set(CMAKE_C_COMPILER_ID_RUN TRUE)
set(CMAKE_EXECUTABLE_FORMAT ELF)
set(CMAKE_C_COMPILER_VERSION 12.2.0)
set(CMAKE_C_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_C_EXTENSIONS_COMPUTED_DEFAULT ON)
set(CMAKE_C_FLAGS_INIT "-fgnuc-version=12.2.0")
