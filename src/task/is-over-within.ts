/** Returns whether work ends within some milliseconds. */
export async function isOverWithin(over: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([over.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
