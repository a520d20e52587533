import { IMAGE_WIDTH } from '@forecourt/contract/image-limits';
import { Popover, Button, FileButton, TextInput } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import ImageIcon from 'lucide-react/icons/image';
import ImageUp from 'lucide-react/icons/image-up';
import { useState, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import '../../../ui/styles-dialog.ts';
import { FirstFocus } from '../../../ui/FirstFocus.tsx';
import { FormMessage } from '../../../ui/FormMessage.tsx';
import { useRecordForm } from '../../../ui/use-record-form.ts';
import { wholeNumberOf } from '../../../ui/whole-number.ts';
import { WholeNumberInput } from '../../../ui/WholeNumberInput.tsx';
import { addImage } from '../email-templates.queries.ts';
import { imageAttributes } from './ImageBlock.tsx';
import { leaveTable } from './table-commands.ts';
import { ToolButton } from './ToolButton.tsx';

/** Adds an image from a file, or changes the selected one. */
export function ImageTool({ editor }: { editor: Editor }): ReactNode {
  const selected = useEditorState({
    editor,
    selector: (snapshot): ImageAttributes | null => {
      if (!snapshot.editor.isActive('image')) return null;
      const { alt, width } = snapshot.editor.getAttributes('image');
      return { alt: String(alt), width: Number(width) };
    },
  });
  // `image` is the selected image when the popup was opened: inserting an image changes the selection.
  const [open, setOpen] = useState<{ image: ImageAttributes | null } | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Popover
      opened={open !== null}
      onDismiss={close}
      transitionProps={{ duration: 0 }}
      position="bottom-start"
      trapFocus
      width={340}
      withinPortal
    >
      <Popover.Target>
        <ToolButton
          label={texts.image}
          icon={ImageIcon}
          aria-pressed={selected !== null}
          onClick={() => setOpen({ image: selected })}
        />
      </Popover.Target>
      <Popover.Dropdown className="ui-stack ui-gap-3">
        <FirstFocus>
          {open && (
            <ImageForm
              image={open.image}
              onDone={(attrs) => {
                const chain = editor.chain().focus();
                if (open.image) chain.updateAttributes('image', attrs).run();
                else chain.command(leaveTable).insertContent({ type: 'image', attrs }).run();
                close();
              }}
              onRemove={() => {
                editor.chain().focus().deleteSelection().run();
                close();
              }}
            />
          )}
        </FirstFocus>
      </Popover.Dropdown>
    </Popover>
  );
}

type ImageAttributes = { imageId?: string; alt: string; width: number };

type Values = { image: File | null; alt: string; width: number | string };

type ImageFormProps = {
  /** The image to change; null for a new one. */
  image: ImageAttributes | null;
  onDone: (image: ImageAttributes) => void;
  onRemove: () => void;
};

/** The file of a new image or the width of an existing one, and the alternative text. */
function ImageForm({ image, onDone, onRemove }: ImageFormProps): ReactNode {
  const form = useRecordForm({
    record: image,
    valuesOf: (image): Values => ({
      image: null,
      alt: image?.alt ?? '',
      width: image?.width ?? IMAGE_WIDTH.max,
    }),
    inputOf: ({ alt, width }) => ({ alt: alt.trim(), width: wholeNumberOf(width) }),
    schema: 'templateImage',
    validate: ({ image: file, alt }) => ({
      ...(image === null && file === null && { image: texts.imageRequired }),
      ...(alt.trim() === '' && { alt: texts.imageAltRequired }),
    }),
    failed: texts.imageFailed,
    save: async ({ alt, width }) => {
      const { image: file } = form.values;
      if (file === null) return onDone({ alt, width });
      onDone(imageAttributes(await addImage(file), alt));
    },
  });
  const { values, errors, set } = form;
  return (
    <form className="ui-stack ui-gap-3" onSubmit={form.onSubmit} noValidate>
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
          <p
            className={errors['image'] ? 'ui-small ui-danger ui-mt-1' : 'ui-small ui-muted ui-mt-1'}
            role={errors['image'] && 'alert'}
          >
            {errors['image'] ?? texts.imageHint}
          </p>
        </div>
      ) : (
        <WholeNumberInput
          label={texts.imageWidth}
          value={values.width}
          error={errors['width']}
          onChange={(width) => set('width', width)}
        />
      )}
      <TextInput label={texts.imageAlt} description={texts.imageAltHint} withAsterisk {...form.text('alt')} />
      <div className="ui-line ui-end">
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
