import { Button, Modal } from '@mantine/core';
import { say as sayFrame } from '../../frame/texts.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { say } from './texts.ts';

/** The secret of a key that was just made, which is kept nowhere. A click beside it would lose it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={say('secret')}
      closeButtonProps={{ 'aria-label': sayFrame('close') }}
    >
      <div className="stack">
        <p>{say('secret.about')}</p>
        <CodeBlock code={secret} />
        <Button size="sm" onClick={onClose}>
          {say('secret.kept')}
        </Button>
      </div>
    </Modal>
  );
}
