"""Thread lists of any tool as one form: thread, state, frames, what it waits for and holds.

    read(["goroutine 7 [semacquire, 41 minutes]:", …])  ->  ThreadLook("", 7, "semacquire", 2460.0, frames, …)
    classified(look)  ->  Wait("lock", "sync.(*Mutex).Lock", "main.handle")

The forms of tools are rows of `forms.yaml`, the functions of waiting rows of `waiting.yaml`.
"""
