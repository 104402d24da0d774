/* A driver of pcscd's for tests: readers on USB, whose cards are vpcd's. pcscd loads it once for all readers; vpcd is
 * loaded for each of them from a copy of its own, since it has room for one. A reader takes its cards at a TCP port that
 * follows from the number of its USB device and of its interface. In the environment:
 * TAPTABLE_READERS   the folder with vpcd's copies, vpcd0.so to vpcd15.so; the file "commands", to which the commands for
 *                    the readers themselves are appended; and a file "silent7" if the reader with the number 7 has to
 *                    answer nothing
 * TAPTABLE_POLL_MS   how often a reader looks for a card; without it pcscd decides
 * TAPTABLE_SLOTS     set: an ACR1252U is one reader with a slot for each interface, as for libccid 1.6.2; else each
 *                    interface is a reader */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef unsigned long DWORD;
typedef long CODE;
typedef unsigned char BYTE;
typedef struct {
    DWORD protocol, length;
} HEADER;

enum { SUCCESS = 0, BAD_TAG = 600, FAILED = 612, NO_SUCH_DEVICE = 617 };
enum { CHANNEL_ID = 0x20110, SLOTS = 0xfae, THREAD_SAFE = 0xfad, AT_ONCE = 0xfaf, POLLING = 0xfb3 };
enum { MOST = 16, FIRST_PORT = 20000 };

static struct {
    void *vpcd;
    unsigned bus, number, slots;
} readers[MOST];

/* Calls a function of the vpcd of a reader. */
#define VPCD(lun, name, ...) ((CODE(*)(__VA_ARGS__))dlsym(readers[(lun) >> 16].vpcd, name))

static const char *file(char *path, size_t length, const char *name, unsigned number)
{
    int end = snprintf(path, length, "%s/", getenv("TAPTABLE_READERS"));
    snprintf(path + end, length - end, name, number);
    return path;
}

CODE IFDHCreateChannelByName(DWORD lun, char *device)
{
    unsigned place = lun >> 16, bus, number, interface;
    char path[512], *named = strstr(device, ":libudev:");
    if (place >= MOST || !named || sscanf(named, ":libudev:%u:/dev/bus/usb/%u/%u", &interface, &bus, &number) != 3)
        return FAILED;
    int has_slots = getenv("TAPTABLE_SLOTS") && strstr(device, "072f/223b");
    if (has_slots && interface > 0)
        return NO_SUCH_DEVICE;
    readers[place].vpcd = dlopen(file(path, sizeof path, "vpcd%u.so", place), RTLD_NOW | RTLD_LOCAL);
    if (!readers[place].vpcd)
        return FAILED;
    readers[place].bus = bus;
    readers[place].number = number;
    readers[place].slots = has_slots ? 2 : 1;
    return VPCD(lun, "IFDHCreateChannel", DWORD, DWORD)(lun & 0xffff, FIRST_PORT + 2 * number + interface);
}

CODE IFDHCreateChannel(DWORD lun, DWORD channel)
{
    return FAILED;
}

CODE IFDHCloseChannel(DWORD lun)
{
    CODE code = VPCD(lun, "IFDHCloseChannel", DWORD)(lun & 0xffff);
    dlclose(readers[lun >> 16].vpcd);
    return code;
}

static CODE poll_for_card(DWORD lun, int timeout_ms)
{
    usleep(1000 * atoi(getenv("TAPTABLE_POLL_MS")));
    return SUCCESS;
}

static CODE give(const void *answer, DWORD size, DWORD *length, BYTE *value)
{
    if (*length < size)
        return FAILED;
    memcpy(value, answer, *length = size);
    return SUCCESS;
}

CODE IFDHGetCapabilities(DWORD lun, DWORD tag, DWORD *length, BYTE *value)
{
    CODE (*polling)(DWORD, int) = poll_for_card;
    uint32_t channel = 0x20 << 16 | readers[lun >> 16].bus << 8 | readers[lun >> 16].number;
    if (tag == CHANNEL_ID)
        return give(&channel, sizeof channel, length, value);
    if (tag == SLOTS)
        return give(readers[lun >> 16].slots == 2 ? "\2" : "\1", 1, length, value);
    if (tag == THREAD_SAFE)
        return give("\1", 1, length, value);
    if (tag == AT_ONCE)
        return give("\20", 1, length, value);
    if (tag == POLLING && getenv("TAPTABLE_POLL_MS"))
        return give(&polling, sizeof polling, length, value);
    return VPCD(lun, "IFDHGetCapabilities", DWORD, DWORD, DWORD *, BYTE *)(lun & 0xffff, tag, length, value);
}

CODE IFDHSetCapabilities(DWORD lun, DWORD tag, DWORD length, BYTE *value)
{
    return BAD_TAG;
}

CODE IFDHSetProtocolParameters(DWORD lun, DWORD protocol, BYTE flags, BYTE pts1, BYTE pts2, BYTE pts3)
{
    return SUCCESS;
}

CODE IFDHPowerICC(DWORD lun, DWORD action, BYTE *atr, DWORD *length)
{
    return VPCD(lun, "IFDHPowerICC", DWORD, DWORD, BYTE *, DWORD *)(lun & 0xffff, action, atr, length);
}

CODE IFDHTransmitToICC(DWORD lun, HEADER sent, BYTE *command, DWORD size, BYTE *answer, DWORD *length, HEADER *received)
{
    return VPCD(lun, "IFDHTransmitToICC", DWORD, HEADER, BYTE *, DWORD, BYTE *, DWORD *, HEADER *)
        (lun & 0xffff, sent, command, size, answer, length, received);
}

/* A new ACR1252U beeps at each card: E0 00 00 21 00 asks for its behaviour, E0 00 00 21 01 and a byte set it. */
CODE IFDHControl(DWORD lun, DWORD code, BYTE *command, DWORD size, BYTE *answer, DWORD most, DWORD *length)
{
    static BYTE behaviour[MOST];
    BYTE *now = &behaviour[lun >> 16], reply[] = {0xe1, 0, 0, 0, 1, 0x8f};
    char path[512];
    FILE *written = fopen(file(path, sizeof path, "commands", 0), "a");
    *length = 0;
    if (!written)
        return FAILED;
    fprintf(written, "%u:", readers[lun >> 16].number);
    for (DWORD place = 0; place < size; place++)
        fprintf(written, " %02x", command[place]);
    fprintf(written, "\n");
    fclose(written);
    if (size < 5 || memcmp(command, "\xe0\0\0\x21", 4))
        return FAILED;
    if (command[4] == 1 && size == 6)
        *now = command[5];
    if (*now)
        reply[5] = *now;
    *length = most;
    return give(reply, sizeof reply, length, answer);
}

CODE IFDHICCPresence(DWORD lun)
{
    char path[512];
    if (access(file(path, sizeof path, "silent%u", readers[lun >> 16].number), F_OK) == 0)
        return FAILED;
    return VPCD(lun, "IFDHICCPresence", DWORD)(lun & 0xffff);
}
