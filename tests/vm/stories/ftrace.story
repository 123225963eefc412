Without the kernel's ftrace there is no module.  Newer kernels have no way to turn it off.
== machine x61 x612 rt61 d61
== run while ftrace is off the module is not loaded, and while it is loaded ftrace stays on
rmmod hwpmc
sysctl -w kernel.ftrace_enabled=0
insmod /pmc/hwpmc.ko
dmesg | grep -o 'hwpmc: ftrace.*' | uniq
sysctl -w kernel.ftrace_enabled=1
insmod /pmc/hwpmc.ko
sysctl -w kernel.ftrace_enabled=0
sysctl kernel.ftrace_enabled
echo version | hwpmcctl
== out
kernel.ftrace_enabled = 0
hwpmc: ftrace does not tell of calls: error -16, set kernel.ftrace_enabled to 1
kernel.ftrace_enabled = 1
kernel.ftrace_enabled = 1
version: as in hwpmc.h
== err
insmod: can't insert '/pmc/hwpmc.ko': Device or resource busy
sysctl: write error: Device or resource busy
