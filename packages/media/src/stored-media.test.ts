import { DatabaseUnavailableError } from '@mediagate/database';
import type { Storage } from './storage/storage';
import { keepMedia } from './stored-media';

function openStorage() {
  const keys = new Set<string>();
  const storage = {
    put: async (key: string) => void keys.add(key),
    remove: async (key: string) => void keys.delete(key),
  } as unknown as Storage;
  return { storage, keys };
}
const media = { purpose: 'upload', bytes: Buffer.from('x'), contentType: 'image/png', lifetimeMs: 1000 } as const;

describe('bytes whose row was not reported', () => {
  it('are removed where the row was refused', async () => {
    const { storage, keys } = openStorage();
    await expect(keepMedia(storage, media, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(keys.size).toBe(0);
  });

  it('stay where the row may have been written, which would else lead to nothing', async () => {
    const { storage, keys } = openStorage();
    const lost = new DatabaseUnavailableError(new Error('the connection broke after the commit'));
    await expect(keepMedia(storage, media, () => Promise.reject(lost))).rejects.toBe(lost);
    expect(keys.size).toBe(1);
  });
});
