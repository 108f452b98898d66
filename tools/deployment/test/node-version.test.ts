import { readText } from './checkout';
import { readDockerfile } from './dockerfile';

const MAJOR = 24;

describe('the version of Node', () => {
  it('is the same in the image, in what a checkout brings and in what dependencies are checked against', () => {
    const [, image] = /^ARG NODE_IMAGE=node:(\d+)-/m.exec(readText('Dockerfile')) ?? [];
    const [, checked] = /^nodeVersion: (\d+)\./m.exec(readText('pnpm-workspace.yaml')) ?? [];
    const packages: Record<string, string> = JSON.parse(readText('scripts/package.json')).optionalDependencies;
    const brought = Object.entries(packages).filter(([name]) => /^node-/.test(name));
    expect(brought.length).toBeGreaterThan(0);
    for (const version of [image, checked, ...brought.map(([, version]) => version)]) {
      expect(Number.parseInt(version ?? '', 10)).toBe(MAJOR);
    }
  });

  it('is that of the build in every stage of the image', () => {
    for (const { from } of readDockerfile().stages) expect(from).toMatch(/^\$\{NODE_IMAGE\}$/);
  });
});
