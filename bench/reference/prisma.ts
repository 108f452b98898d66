import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../../packages/database/src/generated/client';

/** Prisma over the product's own schema, opened as its documentation shows. The limits only keep a busy machine from failing requests. */
export function openPrisma(url: string): PrismaClient {
  return new PrismaClient({
    adapter: new PrismaPg({ connectionString: url }),
    transactionOptions: { maxWait: 30_000, timeout: 30_000 },
  });
}

export type { PrismaClient };
