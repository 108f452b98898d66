// Loaded into every service that a benchmark or an end-to-end test starts: when that is gone, however it went, the service ends.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
