// Loaded into every service the benchmark starts: when the benchmark is gone, however it went, the service ends too.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
