"""`viva written`: grade the written answers, question by question."""

import asyncio
import secrets
import sys
import webbrowser

HELP = """Open a page on this machine that shows one written question at a time over all students:
question and model answer at hand, the rubric's items to tick, equal answers graded together, names
hidden, every action a key. It writes nbgrader's manual score and comment, as formgrader does; what
another TA graded meanwhile is never overwritten. Stop it with Ctrl-C."""
EXAMPLE = "viva written kernel_attention"


def arguments(parser) -> None:
    parser.add_argument("homework")
    parser.add_argument("--port", type=int, default=0, help="default: any free one")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(args, course) -> int:
    from tornado.netutil import bind_sockets

    from viva_examiner.written.app import Desk, application

    desk = Desk(course, args.homework)
    if not desk.questions:
        print(f"viva written: {args.homework} has no written questions in source/", file=sys.stderr)
        return 2
    if not desk.answers:
        print(f"viva written: nothing is graded yet; run viva autograde {args.homework} first",
              file=sys.stderr)
        return 2
    token = secrets.token_urlsafe(24)
    sockets = bind_sockets(args.port, "127.0.0.1")
    address = f"http://127.0.0.1:{sockets[0].getsockname()[1]}/?token={token}"

    async def serve() -> None:
        from tornado.httpserver import HTTPServer

        HTTPServer(application(desk, token)).add_sockets(sockets)
        print(f"{address}\nCtrl-C ends it; what was saved is in the gradebook.", flush=True)
        if not args.no_browser:
            webbrowser.open(address)
        await asyncio.Event().wait()

    try:
        asyncio.run(serve())
    finally:
        desk.marks.close()
    return 0
