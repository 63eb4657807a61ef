# find_package(lift CONFIG): the function lift_library, and what it needs.
#
#   lift_library(TARGET target SOURCES file.cpp ... [FUNCTIONS name ...] [REQUIRED] [OPTIONS ...])
#
# Compiles SOURCES of TARGET, C or C++, with `lift cc`: their functions, or loops of these, are lifted
# with the flags that they are compiled with, and run the lifted code where its proof holds, the
# original elsewhere. No call site changes. A function that can't be lifted stays as it is; with
# REQUIRED that is an error of the build. OPTIONS are those of `lift cc`.
#
# LIFT_ENABLED (a cache variable, ON): OFF compiles everything as if lift_library weren't there.
# LIFT_COMMAND (a list): how `lift` is called, where it isn't on PATH or beside this file.

set(_lift_config_file "${CMAKE_CURRENT_LIST_FILE}")
option(LIFT_ENABLED "Put lifted code in place of the kernels that lift_library names" ON)

if(NOT LIFT_COMMAND)
  # Beside this file in an environment of Python: PREFIX/share/cmake/lift, or PREFIX/lib/pythonX.Y/
  # site-packages/lifter/cmake.
  find_program(LIFT_EXECUTABLE lift
    HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../../../bin")
  mark_as_advanced(LIFT_EXECUTABLE)
  if(LIFT_EXECUTABLE)
    set(LIFT_COMMAND "${LIFT_EXECUTABLE}")
  else()
    set(lift_FOUND FALSE)
    set(lift_NOT_FOUND_MESSAGE
      "`lift` is neither on PATH nor beside ${CMAKE_CURRENT_LIST_DIR}; set LIFT_COMMAND")
    return()
  endif()
endif()

get_property(_lift_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("CXX" IN_LIST _lift_languages OR "C" IN_LIST _lift_languages)
  find_package(Threads QUIET)
endif()

function(lift_library)
  cmake_parse_arguments(LIFT_ARG "REQUIRED" "TARGET" "SOURCES;FUNCTIONS;OPTIONS" ${ARGN})
  if(LIFT_ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lift_library: what is ${LIFT_ARG_UNPARSED_ARGUMENTS}? "
      "lift_library(TARGET target SOURCES file ... [FUNCTIONS name ...] [REQUIRED] [OPTIONS ...])")
  endif()
  if(NOT LIFT_ARG_TARGET OR NOT TARGET "${LIFT_ARG_TARGET}")
    message(FATAL_ERROR "lift_library: TARGET must be a target that exists, not "
      "'${LIFT_ARG_TARGET}'; call it after add_executable or add_library")
  endif()
  if(NOT LIFT_ARG_SOURCES)
    message(FATAL_ERROR "lift_library: SOURCES must name the files of ${LIFT_ARG_TARGET} whose "
      "kernels are to be lifted")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Make|Ninja")
    message(FATAL_ERROR "lift_library needs a generator that has compiler launchers (Makefiles or "
      "Ninja), not ${CMAKE_GENERATOR}")
  endif()
  get_target_property(type "${LIFT_ARG_TARGET}" TYPE)
  get_target_property(imported "${LIFT_ARG_TARGET}" IMPORTED)
  if(type STREQUAL "INTERFACE_LIBRARY" OR imported)
    message(FATAL_ERROR "lift_library: ${LIFT_ARG_TARGET} compiles nothing")
  endif()

  get_target_property(own "${LIFT_ARG_TARGET}" SOURCES)
  get_target_property(folder "${LIFT_ARG_TARGET}" SOURCE_DIR)
  set(own_paths)
  foreach(source IN LISTS own)
    get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
    list(APPEND own_paths "${path}")
  endforeach()
  set(launcher ${LIFT_COMMAND} cc)
  foreach(source IN LISTS LIFT_ARG_SOURCES)
    get_filename_component(path "${source}" ABSOLUTE)
    if(NOT path IN_LIST own_paths)
      message(FATAL_ERROR "lift_library: ${source} is no source of ${LIFT_ARG_TARGET}")
    endif()
    if(NOT path MATCHES "\\.(c|cc|cp|cpp|cxx|c\\+\\+|C|CPP)$")
      message(FATAL_ERROR "lift_library: ${source} is no C or C++ source")
    endif()
    list(APPEND launcher --source "${path}")
    if(LIFT_ENABLED)
      # Objects are changed after they are compiled. That the options differ makes Makefiles compile
      # again when LIFT_ENABLED is switched.
      set_property(SOURCE "${path}" APPEND PROPERTY COMPILE_OPTIONS -fno-lto)
      set_property(SOURCE "${path}" PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
      # Another version of lift lifts again.
      set_property(SOURCE "${path}" APPEND PROPERTY OBJECT_DEPENDS "${_lift_config_file}")
    endif()
  endforeach()
  if(NOT LIFT_ENABLED)
    return()
  endif()
  foreach(function IN LISTS LIFT_ARG_FUNCTIONS)
    list(APPEND launcher --function "${function}")
  endforeach()
  if(LIFT_ARG_REQUIRED)
    list(APPEND launcher --require)
  endif()
  list(APPEND launcher ${LIFT_ARG_OPTIONS})
  foreach(language C CXX)
    get_target_property(before "${LIFT_ARG_TARGET}" ${language}_COMPILER_LAUNCHER)
    if(NOT before)
      set(before)
    endif()
    set_property(TARGET "${LIFT_ARG_TARGET}" PROPERTY ${language}_COMPILER_LAUNCHER
      ${launcher} ${before})
  endforeach()

  # The lifted code's threads, and a few functions of the C library. As properties, because a project
  # may link with keywords or without, but not both.
  set(libraries m)
  if(TARGET Threads::Threads)
    list(APPEND libraries Threads::Threads)
  endif()
  set_property(TARGET "${LIFT_ARG_TARGET}" APPEND PROPERTY LINK_LIBRARIES ${libraries})
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    foreach(library IN LISTS libraries)
      set_property(TARGET "${LIFT_ARG_TARGET}" APPEND PROPERTY
        INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:${library}>")
    endforeach()
  endif()
endfunction()
