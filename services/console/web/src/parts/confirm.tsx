import { Button, Modal } from '@mantine/core';
import { say } from '../frame/texts.ts';

interface ConfirmProps {
  opened: boolean;
  title: string;
  /** What will happen, to how much, and whether it can be undone. */
  text: string;
  action: string;
  busy: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before what cannot be taken back. */
export function Confirm({ opened, title, text, action, busy, onConfirm, onClose }: ConfirmProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': say('close') }}>
      <p>{text}</p>
      <div className="row">
        <Button variant="default" className="spread" onClick={onClose} data-autofocus>
          {say('keep')}
        </Button>
        <Button color="red.8" loading={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Modal>
  );
}
