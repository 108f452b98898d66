import { Modal, UnstyledButton } from '@mantine/core';
import { Download, ImageOff } from 'lucide-react';
import { useState } from 'react';
import { mediaPath } from '../api/gateway.ts';
import { say } from '../frame/texts.ts';
import classes from './image-grid.module.css';

/** Images beside each other; one opens as large as the window. */
export function ImageGrid({ links }: { links: readonly string[] }) {
  const [opened, setOpened] = useState<string>();
  return (
    <div className={classes.grid} data-single={links.length === 1}>
      {links.map((link, index) => (
        <Thumbnail key={link} link={link} number={index + 1} onOpen={() => setOpened(link)} />
      ))}
      <Modal
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        size="auto"
        title={
          opened !== undefined && (
            <a href={mediaPath(opened)} download className={classes.download}>
              <Download size={14} aria-hidden />
              {say('result.download')}
            </a>
          )
        }
        closeButtonProps={{ 'aria-label': say('close') }}
      >
        {opened !== undefined && <img src={mediaPath(opened)} alt={say('result.image')} className={classes.large} />}
      </Modal>
    </div>
  );
}

function Thumbnail({ link, number, onOpen }: { link: string; number: number; onOpen(): void }) {
  const [gone, setGone] = useState(false);
  if (gone) {
    return (
      <span className={classes.gone}>
        <ImageOff size={18} aria-hidden />
        {say('result.expired')}
      </span>
    );
  }
  return (
    <UnstyledButton className={classes.thumbnail} aria-label={say('result.open', { number })} onClick={onOpen}>
      <img src={mediaPath(link)} alt="" loading="lazy" onError={() => setGone(true)} />
    </UnstyledButton>
  );
}
