const work = async (): Promise<void> => {};

work();
