import { ffmpegProgram } from '@mediagate/testkit/servers';
import { type RunningSimulator, type StartOptions, startSimulator } from '../src/simulator';
import { createSimulatorControl, type SimulatorControl } from './simulator-control';

/** JSON of any shape: what is read of it, the test says. */
// biome-ignore lint/suspicious/noExplicitAny: each vendor has a shape of its own, and each test names the fields it reads.
export type Json = any;

/** A simulator on a port of its own that draws without waiting. */
export type SimulatorUnderTest = RunningSimulator & SimulatorControl;

export async function startUnderTest(options: Partial<StartOptions> = {}): Promise<SimulatorUnderTest> {
  const simulator = await startSimulator({ imageMs: 0, ffmpegPath: ffmpegProgram(), ...options });
  return { ...simulator, ...createSimulatorControl(simulator.url) };
}

/** The key that the simulator takes as one of the vendor, by the name of its folder. */
export function keyOf(vendor: string): string {
  return `sim-${vendor}-key`;
}

/** Posts JSON with a bearer key. */
export function post(url: string, { key, body, headers = {}, signal }: PostOptions) {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

interface PostOptions {
  key: string;
  body: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}
