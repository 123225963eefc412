// SPDX-License-Identifier: BSD-2-Clause
/* What the machine's files say of profiling: permissions, limits, PMUs, names of kernel code. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmccontrol/doctor.h"
#include "pmccontrol/doctor_report.h"
#include "pmc/events/events.h"
#include "pmc/perf/perf_errors.h"

#define DEVICES "/sys/bus/event_source/devices"
#define SYSCTL	"/proc/sys/kernel/"

/* The default rate of sampling, the kernel's own limit, the longest chain that libpmc asks for. */
enum { USUAL_HZ = 1000, KERNEL_HZ = 100000, FRAMES_MAX = 127 };

struct facts {
	const char *root;
	struct sink *sink;
	struct perf_settings st;
};

static bool is_there(const struct facts *f, const char *path)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", f->root, path);
	return !access(full, F_OK);
}

/* The text of a file without its last newline; "" where it cannot be read. */
static const char *read_text(const struct facts *f, const char *path, char *text, size_t size)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", f->root, path);
	if (proc_read_text(full, text, size) < 0)
		text[0] = '\0';
	return text;
}

static long long read_number(const struct facts *f, const char *path, long long fallback)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", f->root, path);
	return proc_read_number(full, fallback);
}

static void fact(const struct facts *f, const char *title, const char *text)
{
	doctor_finding(f->sink, "-", title, NULL, "%s", text);
}

/* ---- Who may ---- */

static void paranoid(const struct facts *f)
{
	static const char *const allowed[] = {"all, tracepoints with their data too",
					      "own programs and whole CPUs, with the kernel",
					      "own programs, with the kernel",
					      "own programs without the kernel"};
	long long v = f->st.paranoid, i = v < -1 ? -1 : v > 2 ? 2 : v;

	if (v == LLONG_MIN)
		fact(f, "perf_event_paranoid", "cannot be read: is this kernel without perf?");
	else
		doctor_finding(f->sink, "-", "perf_event_paranoid", NULL,
			       "%lld: ordinary users may profile %s%s%s", v, allowed[i + 1],
			       v > 2 ? ", or nothing where the distribution's kernel has a "
				       "setting above 2, as Debian's"
				     : "",
			       f->st.has_perfmon ? "; it does not bind this process" : "");
}

static void capabilities(const struct facts *f)
{
	doctor_finding(f->sink, "-", "capabilities", NULL,
		       "%sCAP_PERFMON or CAP_SYS_ADMIN %s, CAP_SYS_PTRACE %s, CAP_SYSLOG %s",
		       f->st.user_namespace ? "in a user namespace none count: " : "",
		       f->st.has_perfmon ? "yes" : "no", f->st.has_ptrace ? "yes" : "no",
		       f->st.has_syslog ? "yes" : "no");
}

static void confinement(const struct facts *f)
{
	static const char *const marks[] = {"docker", "kubepods", "containerd", "libpod", "lxc"};
	char cgroup[4096];
	size_t i;

	fact(f, "seccomp",
	     f->st.seccomp ? "a filter is in force, as in containers; it may refuse events"
			   : "no filter");
	fact(f, "lockdown", f->st.lockdown[0] ? f->st.lockdown : "none that can be seen");
	read_text(f, "/proc/1/cgroup", cgroup, sizeof(cgroup));
	for (i = 0; i < sizeof(marks) / sizeof(marks[0]) && !strstr(cgroup, marks[i]); i++)
		;
	if (i < sizeof(marks) / sizeof(marks[0]))
		doctor_finding(f->sink, "-", "container", NULL, "process 1 is in a cgroup of %s",
			       marks[i]);
	else if (is_there(f, "/.dockerenv"))
		fact(f, "container", "/.dockerenv is there");
	else if (is_there(f, "/run/.containerenv"))
		fact(f, "container", "/run/.containerenv is there");
	else
		fact(f, "container", "no sign of one");
}

/* ---- How much ---- */

static void ring_memory(const struct facts *f)
{
	long long kb = read_number(f, SYSCTL "perf_event_mlock_kb", -1);
	char limits[4096], value[32] = "?";
	const char *line;

	read_text(f, "/proc/self/limits", limits, sizeof(limits));
	line = strstr(limits, "Max locked memory");
	if (line)
		sscanf(line, "Max locked memory %31s", value);
	if (kb < 0)
		fact(f, "ring buffers", "kernel.perf_event_mlock_kb cannot be read");
	else
		doctor_finding(f->sink, "-", "ring buffers", NULL,
			       "kernel.perf_event_mlock_kb %lld KiB a CPU for all of a user; "
			       "RLIMIT_MEMLOCK %s%s more",
			       kb, value, strcmp(value, "unlimited") ? " bytes" : "");
}

static void sample_rate(const struct facts *f)
{
	long long hz = read_number(f, SYSCTL "perf_event_max_sample_rate", -1);
	char fix[96];

	if (hz < 0) {
		fact(f, "sample rate", "kernel.perf_event_max_sample_rate cannot be read");
		return;
	}
	snprintf(fix, sizeof(fix), "sysctl kernel.perf_event_max_sample_rate=%d", KERNEL_HZ);
	if (hz >= KERNEL_HZ)
		doctor_finding(f->sink, "ok", "sample rate", NULL,
			       "at most %lld samples a second and CPU", hz);
	else
		doctor_finding(f->sink, hz < USUAL_HZ ? "no" : "?", "sample rate", fix,
			       "at most %lld samples a second and CPU, not the usual %d%s: the "
			       "kernel lowers it when sampling takes more than "
			       "kernel.perf_cpu_time_max_percent (%lld)",
			       hz, KERNEL_HZ,
			       hz < USUAL_HZ ? ", and fewer than the default rates ask for" : "",
			       read_number(f, SYSCTL "perf_cpu_time_max_percent", 25));
}

static void chain_depth(const struct facts *f)
{
	long long frames = read_number(f, SYSCTL "perf_event_max_stack", -1);

	if (frames < 0)
		fact(f, "call chains", "kernel.perf_event_max_stack cannot be read");
	else if (frames < FRAMES_MAX)
		doctor_finding(f->sink, "no", "call chains",
			       "sysctl kernel.perf_event_max_stack=127 (while nobody profiles)",
			       "cut at %lld frames, where logs have room for %d", frames,
			       FRAMES_MAX);
	else
		doctor_finding(f->sink, "ok", "call chains", NULL, "up to %lld frames", frames);
}

/* ---- Which counters ---- */

struct pmus {
	const struct facts *f;
	char names[1024], hybrid[512];
	unsigned int cores; /* PMUs of the CPUs themselves */
	unsigned int kinds; /* of them, those of some CPUs only */
};

static void append(char *text, size_t size, const char *separator, const char *name)
{
	size_t n = strlen(text);

	if (n + strlen(separator) + strlen(name) < size)
		snprintf(text + n, size - n, "%s%s", n ? separator : "", name);
}

/* A PMU of CPUs lists them in "cpus" or is called cpu; those of a chip have "cpumask". */
static int add_pmu(const char *name, void *arg)
{
	struct pmus *p = arg;
	char path[PATH_MAX / 2], cpus[128], kind[256];

	append(p->names, sizeof(p->names), ", ", name);
	snprintf(path, sizeof(path), DEVICES "/%s/cpus", name);
	read_text(p->f, path, cpus, sizeof(cpus));
	if (cpus[0]) {
		p->kinds++;
		snprintf(kind, sizeof(kind), "%.100s on CPUs %s", name, cpus);
		append(p->hybrid, sizeof(p->hybrid), ", ", kind);
	}
	p->cores += cpus[0] || !strncmp(name, "cpu", 3);
	return 0;
}

static void find_pmus(struct pmus *p, const struct facts *f)
{
	char dir[PATH_MAX];

	*p = (struct pmus){.f = f};
	snprintf(dir, sizeof(dir), "%s" DEVICES, f->root);
	pmcint_each_entry(dir, add_pmu, p);
}

static bool is_virtual(const struct facts *f)
{
	char text[8192];

	return strstr(read_text(f, "/proc/cpuinfo", text, sizeof(text)), " hypervisor") ||
	       is_there(f, "/sys/hypervisor/type");
}

void doctor_missing_pmu(const char *root, char *advice, size_t size)
{
	struct facts f = {.root = root};
	struct pmus p;

	find_pmus(&p, &f);
	snprintf(advice, size, "%s",
		 p.cores ? ""
		 : is_virtual(&f)
			 ? "give the virtual machine a PMU (QEMU: -cpu host,pmu=on; libvirt: <pmu "
			   "state=\"on\"/>; VMware: vpmc.enable = TRUE; clouds: a bare-metal "
			   "instance)"
			 : "dmesg | grep -i 'performance events' tells why the kernel found none");
}

static void module_device(const struct facts *f)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/dev/hwpmc", f->root);
	if (!is_there(f, "/dev/hwpmc"))
		fact(f, "hwpmc(4)", "/dev/hwpmc is not there; the collector is perf");
	else if (faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS))
		doctor_finding(f->sink, "no", "hwpmc(4)",
			       "join the group of /dev/hwpmc, which hwpmc(4) calls \"profile\"",
			       "/dev/hwpmc may not be opened: %s; the collector is perf",
			       strerror(errno));
	else
		fact(f, "hwpmc(4)", "/dev/hwpmc is there; the collector is hwpmc");
}

/* Whether the names of the CPU's maker can be used. */
static void vendor_names(const struct facts *f)
{
	char pmus[256];

	switch (pmcint_pfm_pmus(pmus, sizeof(pmus))) {
	case PFM_ABSENT:
		fact(f, "vendors' names", "none: this program was built without libpfm4");
		break;
	case PFM_UNKNOWN_CPU:
		fact(f, "vendors' names",
		     "none: libpfm4 does not know this CPU; rHEX and PMU/FIELD=VALUE/ work");
		break;
	case PFM_KNOWN_CPU: fact(f, "vendors' names", pmus); break;
	}
}

static void pmus(const struct facts *f)
{
	struct pmus p;
	bool virtual = is_virtual(f);

	find_pmus(&p, f);
	fact(f, "machine", virtual ? "virtual: a hypervisor is below" : "no sign of a hypervisor");
	doctor_finding(f->sink, "-", "PMUs", NULL, "%s", p.names[0] ? p.names : "none");
	vendor_names(f);
	if (p.kinds > 1)
		doctor_finding(f->sink, "-", "hybrid CPUs", NULL,
			       "%s; name a kind as PMU/EVENT/, cycles alone is of one", p.hybrid);
	if (p.cores && read_number(f, SYSCTL "nmi_watchdog", 0) == 1)
		doctor_finding(f->sink, "no", "NMI watchdog", "sysctl kernel.nmi_watchdog=0",
			       "it holds one hardware counter of each CPU");
	module_device(f);
}

/* ---- Names of what was sampled ---- */

/* Whether any line has an address that is not 0; the first ones may be those of variables at 0. */
static bool shows_addresses(const struct facts *f)
{
	char path[PATH_MAX], line[512];
	bool shown = false;
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/kallsyms", f->root);
	file = fopen(path, "re");
	while (file && !shown && fgets(line, sizeof(line), file))
		shown = strtoull(line, NULL, 16) != 0;
	if (file)
		fclose(file);
	return shown;
}

static void kernel_names(const struct facts *f)
{
	long long kptr = read_number(f, SYSCTL "kptr_restrict", 0);

	if (shows_addresses(f))
		doctor_finding(f->sink, "ok", "kernel functions", NULL,
			       "/proc/kallsyms has their addresses");
	else if (!is_there(f, "/proc/kallsyms"))
		doctor_finding(f->sink, "no", "kernel functions", "-k with the kernel's vmlinux",
			       "/proc/kallsyms is not there (CONFIG_KALLSYMS is off)");
	else if (kptr >= 2)
		doctor_finding(f->sink, "no", "kernel functions", "sysctl kernel.kptr_restrict=1",
			       "kernel.kptr_restrict %lld hides their addresses from all", kptr);
	else
		doctor_finding(
			f->sink, "no", "kernel functions",
			f->st.user_namespace
				? "as root of the machine: sysctl kernel.kptr_restrict=0 "
				  "kernel.perf_event_paranoid=1"
				: "run as root, or setcap cap_syslog+ep on the program, or "
				  "sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1",
			"their addresses are hidden from processes without CAP_SYSLOG "
			"(kernel.kptr_restrict is %lld)",
			kptr);
}

static void debug_files(const struct facts *f)
{
	static const char *const forms[] = {
		"/usr/lib/debug/boot/vmlinux-%s", "/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/lib/modules/%s/vmlinux.debug", "/lib/modules/%s/build/vmlinux"};
	char release[128], path[256];
	size_t i, n = sizeof(forms) / sizeof(forms[0]);

	read_text(f, SYSCTL "osrelease", release, sizeof(release));
	for (i = 0; i < n; i++) {
		const char *hole = strstr(forms[i], "%s");

		snprintf(path, sizeof(path), "%.*s%s%s", (int)(hole - forms[i]), forms[i], release,
			 hole + 2);
		if (is_there(f, path))
			break;
	}
	if (i < n)
		fact(f, "kernel's source lines", path);
	else
		doctor_finding(f->sink, "-", "kernel's source lines", NULL,
			       "no vmlinux of %s below /usr/lib/debug or /lib/modules", release);
	fact(f, "debug files",
	     is_there(f, "/usr/lib/debug/.build-id")
		     ? "/usr/lib/debug/.build-id is there"
		     : "none below /usr/lib/debug; --debuginfod can ask servers for them");
}

void doctor_write_facts(const char *root, struct sink *sink)
{
	struct facts f = {.root = root, .sink = sink};

	perf_settings_read(&f.st, root, 0);
	paranoid(&f);
	capabilities(&f);
	confinement(&f);
	ring_memory(&f);
	sample_rate(&f);
	chain_depth(&f);
	pmus(&f);
	kernel_names(&f);
	debug_files(&f);
}
