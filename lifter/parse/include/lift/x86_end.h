/* Behind the last list of a header. */
#include <lift/words_end.h>
