import { useQuery } from '@tanstack/react-query';
import { NodeViewWrapper, type NodeViewProps } from '@tiptap/react';
import ImageOff from 'lucide-react/icons/image-off';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { imageQuery } from '../email-templates.queries.ts';
import styles from './ImageBlock.module.css';

/** An image in the text, in the width of the message; its description where it cannot be loaded. */
export function ImageBlock({ node, selected }: NodeViewProps): ReactNode {
  const { imageId, alt, width } = node.attrs;
  const { data, error } = useQuery(imageQuery(String(imageId)));
  return (
    <NodeViewWrapper className={styles.block} data-selected={selected || undefined} data-drag-handle>
      {data ? (
        <img src={data} alt={String(alt)} width={Number(width)} className={styles.image} draggable={false} />
      ) : (
        <span className={`ui-line ui-quiet ${styles.missing}`} style={{ width: Number(width) }}>
          {error && <ImageOff size={16} aria-label={texts.imageMissing} />} {String(alt)}
        </span>
      )}
    </NodeViewWrapper>
  );
}
