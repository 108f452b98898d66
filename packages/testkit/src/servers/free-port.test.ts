import { freePort, isPortFree } from './free-port';

describe('a free port', () => {
  it('is another one each time, and none that the system gives to connections by itself', async () => {
    const ports: number[] = [];
    for (let count = 0; count < 50; count += 1) ports.push(await freePort());
    expect(new Set(ports).size).toBe(50);
    for (const port of ports) {
      expect(port).toBeGreaterThanOrEqual(20_000);
      expect(port).toBeLessThan(32_768);
    }
    expect(await isPortFree(ports[0] ?? 0)).toBe(true);
  });
});
