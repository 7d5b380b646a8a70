# A toolchain file for CMake: cmake --toolchain docs/cmake/polyopt.cmake …
# polyopt-cc defines no macro of another compiler, so that CMake takes it for an unknown one, does
# without -std=, dependency files and the levels of CMAKE_BUILD_TYPE (say CFLAGS=-O3 then), and finds
# no library in folders that are named for the machine. Here it learns that the flags are those of gcc, and sources that
# ask for __GNUC__ find it: those say their attributes, visibility among them, nowhere else.
set(CMAKE_C_COMPILER polyopt-cc)
set(CMAKE_C_COMPILER_ID GNU)
set(CMAKE_C_COMPILER_ID_RUN TRUE)
set(CMAKE_EXECUTABLE_FORMAT ELF)
set(CMAKE_C_COMPILER_VERSION 12.2.0)
set(CMAKE_C_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_C_EXTENSIONS_COMPUTED_DEFAULT ON)
set(CMAKE_C_FLAGS_INIT "-fgnuc-version=12.2.0")
