import { Button, Modal } from '@mantine/core';
import { say as sayFrame } from '../frame/texts.ts';
import { CodeBlock } from './code-block.tsx';

interface Props {
  secret: string;
  title: string;
  about: string;
  /** The text of the button that closes the dialog. */
  kept: string;
  onClose(): void;
}

/** A secret that is kept nowhere and shown this once. A click beside it would lose it. */
export function SecretDialog({ secret, title, about, kept, onClose }: Props) {
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      title={title}
      closeButtonProps={{ 'aria-label': sayFrame('close') }}
    >
      <div className="stack">
        <p>{about}</p>
        <CodeBlock code={secret} />
        <Button size="sm" onClick={onClose}>
          {kept}
        </Button>
      </div>
    </Modal>
  );
}
