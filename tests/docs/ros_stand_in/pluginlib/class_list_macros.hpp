#pragma once
#define PLUGINLIB_EXPORT_CLASS(Class, Base) \
    extern "C" Base *exported() { return new Class(); }
