/* Reading a mapped page behind the end of its file raises SIGBUS, and files do shrink under readers
   (logs are rotated, shares go away). Signal handlers belong to the process, so this is the one
   piece of process-wide state of the library: installed once, it looks whether the address belongs
   to one of our mappings, puts a page of zeros there and marks the mapping as lost; every other
   fault goes to whoever handled SIGBUS before. */
#include "input/guard.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct guard_region {
    _Atomic uintptr_t start; /* 0: free; 1: being filled */
    _Atomic size_t size;
    _Atomic bool lost;
} guard_region;

static guard_region regions[ETL_GUARD_REGIONS];
static struct sigaction previous;
static uintptr_t page_size;
static pthread_once_t installed = PTHREAD_ONCE_INIT;

static void pass_on(int number, siginfo_t *info, void *context)
{
    if (previous.sa_flags & SA_SIGINFO) {
        previous.sa_sigaction(number, info, context);
    } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
        previous.sa_handler(number);
    } else if (info->si_code > 0 || previous.sa_handler == SIG_DFL) {
        /* The default action: returning repeats the faulting access without this handler; a fault
           cannot be ignored. A signal that was sent has nothing to repeat, so it is sent again. */
        struct sigaction standard = {.sa_handler = SIG_DFL};
        sigaction(SIGBUS, &standard, NULL);
        if (info->si_code <= 0)
            raise(SIGBUS);
    }
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    /* Only a fault has an address: in a signal that was sent (si_code <= 0) it means nothing. */
    for (int i = 0; info->si_code > 0 && i < ETL_GUARD_REGIONS; i++) {
        uintptr_t start = atomic_load(&regions[i].start);
        size_t size = atomic_load(&regions[i].size);
        /* Another thread may be giving the place to another mapping; then start has changed. */
        if (start <= 1 || address < start || address - start >= size ||
            atomic_load(&regions[i].start) != start)
            continue;
        /* Marked first: whoever reads the zeros on another thread must also see the mark. */
        atomic_store(&regions[i].lost, true);
        void *page = (void *)(address & ~(page_size - 1));
        if (mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
            MAP_FAILED)
            break;
        return;
    }
    pass_on(number, info, context);
}

static void install(void)
{
    page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    /* On the alternate stack where a thread has one: its own may be small (Go, Java). */
    struct sigaction ours = {.sa_sigaction = on_bus_error,
                             .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    sigemptyset(&ours.sa_mask);
    sigaction(SIGBUS, &ours, &previous);
}

int etl_guard_add(const void *start, size_t size)
{
    pthread_once(&installed, install);
    for (int i = 0; i < ETL_GUARD_REGIONS; i++) {
        uintptr_t expected = 0;
        if (!atomic_compare_exchange_strong(&regions[i].start, &expected, 1))
            continue;
        atomic_store(&regions[i].size, size);
        atomic_store(&regions[i].lost, false);
        atomic_store(&regions[i].start, (uintptr_t)start);
        return i;
    }
    return -1;
}

bool etl_guard_lost(int handle)
{
    return handle >= 0 && atomic_load(&regions[handle].lost);
}

void etl_guard_remove(int handle)
{
    if (handle >= 0)
        atomic_store(&regions[handle].start, 0);
}
