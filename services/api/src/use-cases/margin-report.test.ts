import type { Channels } from '@mediagate/channels';
import { DatabaseUnavailableError } from '@mediagate/database';
import { createMarginSlots, reportMargin } from './margin-report';

it('says which days to ask for less of when a report would take too long, and lets the next one be made', async () => {
  const timeIsUp = new DatabaseUnavailableError(Object.assign(new Error('statement timeout'), { code: '57014' }));
  const database = { channelDefinition: { findMany: async () => [] }, sumMargin: () => Promise.reject(timeIsUp) };
  const channels = { database, sources: async () => [] };
  const operators = { channels: channels as unknown as Channels, marginSlots: createMarginSlots() };
  for (let time = 0; time < 2; time += 1) {
    await expect(
      reportMargin(operators, { from: new Date(0), to: new Date(1), groupBy: ['day'], timezone: 'Asia/Shanghai' }),
    ).rejects.toMatchObject({ code: 'invalid_request', param: 'from' });
  }
});
