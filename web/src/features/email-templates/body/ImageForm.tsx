import '../../../ui/styles-dialog.ts';
import { Button, FileButton, NumberInput, TextInput } from '@mantine/core';
import ImageUp from 'lucide-react/icons/image-up';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { FormMessage } from '../../../ui/FormMessage.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { addImage } from '../email-templates.queries.ts';
import { shownWidth, WIDTH } from './image-width.ts';
import styles from './ImageForm.module.css';

export type ImageAttributes = { imageId?: string; alt: string; width: number };

type Values = { image: File | null; alt: string; width: number };

type ImageFormProps = {
  /** The one that is changed; null: a new one. */
  image: ImageAttributes | null;
  onDone: (image: ImageAttributes) => void;
  onRemove: () => void;
};

/** Takes the file of a new image, or the width of one that is there, and what it shows in words. */
export function ImageForm({ image, onDone, onRemove }: ImageFormProps): ReactNode {
  const form = useForm<Values>({
    initial: { image: null, alt: image?.alt ?? '', width: image?.width ?? WIDTH.max },
    validate: ({ image: file, alt }) => ({
      ...(image === null && file === null && { image: texts.imageRequired }),
      ...(alt.trim() === '' && { alt: texts.imageAltRequired }),
    }),
    failed: texts.imageFailed,
    submit: async ({ image: file, alt, width }) => {
      if (file === null) return onDone({ alt: alt.trim(), width: shownWidth(width) });
      const added = await addImage(file);
      onDone({ imageId: added._id, alt: alt.trim(), width: shownWidth(added.width) });
    },
  });
  const { values, errors, set } = form;
  return (
    <form className={styles.form} onSubmit={form.onSubmit} noValidate>
      <FormMessage text={form.message} />
      {image === null ? (
        <div>
          <FileButton accept="image/png,image/jpeg,image/gif" onChange={(file) => set('image', file)}>
            {(props) => (
              <Button {...props} variant="default" leftSection={<ImageUp />} data-autofocus>
                {values.image?.name ?? texts.imageChoose}
              </Button>
            )}
          </FileButton>
          <p className={errors['image'] ? styles.error : styles.hint} role={errors['image'] && 'alert'}>
            {errors['image'] ?? texts.imageHint}
          </p>
        </div>
      ) : (
        <NumberInput
          label={texts.imageWidth}
          min={WIDTH.min}
          max={WIDTH.max}
          value={values.width}
          onChange={(width) => set('width', Number(width) || WIDTH.max)}
        />
      )}
      <TextInput
        label={texts.imageAlt}
        description={texts.imageAltHint}
        withAsterisk
        maxLength={300}
        {...form.text('alt')}
      />
      <div className={styles.buttons}>
        {image !== null && (
          <Button variant="default" onClick={onRemove}>
            {texts.imageRemove}
          </Button>
        )}
        <Button type="submit" loading={form.busy}>
          {image === null ? texts.imageInsert : texts.linkApply}
        </Button>
      </div>
    </form>
  );
}
