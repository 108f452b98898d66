import { readConfig } from './config';
import { checkFfmpeg } from './media/video/ffmpeg';
import { startSimulator } from './simulator';

/** The simulator as a process: one line when it listens, a drain on the first SIGTERM or SIGINT, an exit on the second. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  await checkFfmpeg(config.ffmpegPath);
  const simulator = await startSimulator(config);
  process.stdout.write(`upstream simulator listens on ${simulator.url}\n`);
  let draining = false;
  const stop = () => {
    if (draining) process.exit(1);
    draining = true;
    void simulator.close();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`upstream simulator cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
