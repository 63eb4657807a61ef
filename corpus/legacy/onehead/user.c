/* user.c - the C half: the resizer with hooks of our own, the colour code shared by everybody */
#include <stdlib.h>
#include "user.h"

#ifdef __cplusplus
extern "C" int user_rows_done;
#endif
int user_rows_done = 0;

static void *counted(size_t n, void *user)
{
   if (user) ++*(int *) user;
   return malloc(n ? n : 1);
}

#define OHR_MALLOC(size,user)        counted(size, user)
#define OHR_FREE(ptr,user)           ((void) (user), free(ptr))
#define OHR_PROGRESS(user,row,rows)  (user_rows_done += (row) <= (rows))
#define OH_RESIZE_IMPLEMENTATION
#include "oh_resize.h"

#define OH_COLOR_IMPLEMENTATION
#include "oh_color.h"
