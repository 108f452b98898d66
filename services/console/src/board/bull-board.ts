import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Logger } from '@mediagate/host';
import type { QueueViews } from '@mediagate/queue';
import type { Express } from 'express';
import { guardActions } from './board-actions';

/** Bull Board over all queues, to be mounted at `basePath`. It has no login of its own. */
export function createBoard(queues: QueueViews['queues'], basePath: string, logger: Logger): Express {
  const adapter = new ExpressAdapter().setBasePath(basePath);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue)),
    serverAdapter: adapter,
    options: {
      handlerHooks: { before: guardActions(logger) },
      uiConfig: {
        boardTitle: 'mediagate queues',
        boardLogo: { path: '/assets/logo.svg', width: 24, height: 24 },
        favIcon: { default: '/assets/logo.svg', alternative: '/assets/logo.svg' },
        miscLinks: [{ text: 'Console', url: '/' }],
        hideDocsLink: true,
      },
    },
  });
  const board: Express = adapter.getRouter();
  return board.disable('x-powered-by');
}
